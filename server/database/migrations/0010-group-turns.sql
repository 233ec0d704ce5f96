-- Joining and deciding, one after the other per group, and the indexes of the group and chat lists.

-- Every write about who is in a group first locks the group's row, so that no two decisions pass each other
-- (architecture §14.7). A member cannot ask again.
create function take_request_turn() returns trigger language plpgsql as $$
begin
  perform from groups where id = new.group_id for no key update;
  perform from group_members where group_id = new.group_id and user_id = new.user_id;
  if found then
    raise exception 'she is a member already'
      using errcode = '23514', constraint = 'group_requests_not_member', table = 'group_requests';
  end if;
  return new;
end $$;
create trigger group_requests_turn before insert on group_requests
  for each row execute function take_request_turn();

-- A request is decided once, and says when and by whom: only the group's admin may.
create function decide_request_once() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'the request is decided'
      using errcode = '23514', constraint = 'group_requests_decided_once', table = 'group_requests';
  end if;
  if new.status <> 'pending' then
    new.processed_at := clock_timestamp();
    new.processed_by := (select admin_id from groups where id = new.group_id);
  end if;
  return new;
end $$;
create trigger group_requests_decide before update of status on group_requests
  for each row execute function decide_request_once();

create index group_members_newest on group_members (group_id, created_at desc, id desc);
create index groups_by_words on groups using gin (fold(name || ' ' || description) gin_trgm_ops);

-- Unread: the newest message is past her mark. Sending moves the sender's own, so nobody has her own message unread.
create index conversations_unread_of_low on conversations (low_id) where last_message_id > low_read_id;
create index conversations_unread_of_high on conversations (high_id) where last_message_id > high_read_id;
