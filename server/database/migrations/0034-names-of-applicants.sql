-- A refusal of an applicant's username or address would tell members that somebody applied with it. The approval chooses
-- a similar username, and refuses an address that an account has meanwhile.
drop trigger users_hold_applied_username_new on users;
drop trigger users_hold_applied_username on users;
drop function hold_applied_usernames;
create or replace function hold_applied_emails() returns trigger language plpgsql as $$
begin
  if new.email_verified then
    delete from applications p where p.state = 'waiting' and p.email = new.email;
  end if;
  return null;
end $$;
