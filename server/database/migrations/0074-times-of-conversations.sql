-- Until something is said in a conversation its times are those at which the younger of the two accounts became a member: when one of the two
-- opened it is nothing for the other. From its first message on it is as old as that.
create function hide_time_of_opening() returns trigger language plpgsql as $$
begin
  select max(u.created_at) into new.created_at from users u where u.id in (new.low_id, new.high_id);
  new.updated_at := new.created_at;
  return new;
end $$;
create trigger conversations_opened before insert on conversations for each row
  when (new.last_message_id is null) execute function hide_time_of_opening();

create function begin_conversation() returns trigger language plpgsql as $$
begin
  new.created_at := new.updated_at;
  return new;
end $$;
create trigger conversations_begun before update of last_message_id on conversations for each row
  when (old.last_message_id is null and new.last_message_id is not null) execute function begin_conversation();

update conversations c set (created_at, updated_at) = (
  select max(u.created_at), max(u.created_at) from users u where u.id in (c.low_id, c.high_id))
where c.last_message_id is null;
