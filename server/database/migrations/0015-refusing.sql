-- A write whose statement is its whole transaction is taken back by what it raises: the state says why (server/store.ts).
create function refuse(state text) returns bigint language plpgsql as $$
begin
  raise exception 'refused' using errcode = state;
end $$;
