-- An account that its member closed for a while: signing in opens it again. One that an operator closed stays closed.
alter table accounts add column reopens_on_sign_in boolean not null default false;

create or replace function note_account_closed() returns trigger language plpgsql as $$
begin
  new.closed_at := case new.status when 'blocked' then clock_timestamp() end;
  if new.status = 'active' then
    new.reopens_on_sign_in := false;
  end if;
  return new;
end $$;
