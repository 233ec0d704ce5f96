-- Unsending: a message that its sender took back is empty for both, and stands in its place without a word. Nothing of it is
-- kept but what a report has already.

alter table messages
  drop constraint messages_content_length,
  drop constraint messages_content_not_blank,
  add column unsent_at timestamptz(3),
  add constraint messages_content_length check (char_length(content) <= 4000) not valid,
  add constraint messages_content check (case when unsent_at is null then content ~ '\S' else content = '' end) not valid;

-- Takes the conversation's lock, as a message does, and empties the row, whoever writes the time.
create function empty_unsent_message() returns trigger language plpgsql as $$
begin
  perform from conversations where id = new.conversation_id for no key update;
  new.content := '';
  return new;
end $$;
create trigger messages_unsent_empty before update of unsent_at on messages for each row
  when (old.unsent_at is null and new.unsent_at is not null) execute function empty_unsent_message();

-- Points the conversation back at its newest message that still says something; the order of the list stays. Where all are unsent it
-- stays at the newest, and both marks go past it: nobody is called by what is not there.
create function show_last_living_message() returns trigger language plpgsql as $$
declare
  living bigint;
begin
  select m.id into living from messages m where m.conversation_id = new.conversation_id and m.unsent_at is null
    order by m.id desc limit 1;
  if living is not null then
    update conversations set last_message_id = living where id = new.conversation_id and last_message_id <> living;
  else
    update conversations c set last_message_id = newest.id, low_read_id = greatest(c.low_read_id, newest.id),
      high_read_id = greatest(c.high_read_id, newest.id)
    from (select max(m.id) as id from messages m where m.conversation_id = new.conversation_id) newest
    where c.id = new.conversation_id;
  end if;
  return null;
end $$;
create trigger messages_unsent_last after update of unsent_at on messages for each row
  when (old.unsent_at is null and new.unsent_at is not null) execute function show_last_living_message();
