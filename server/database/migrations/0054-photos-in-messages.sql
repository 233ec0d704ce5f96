-- Photos in messages: up to four, seen by the two of the conversation, gone with the message's words.

alter table files
  drop constraint files_purpose,
  add constraint files_purpose check (purpose in ('post', 'user', 'group', 'message')) not valid;

alter table messages
  drop constraint messages_content,
  add column photo_count smallint not null default 0 constraint messages_photo_count check (photo_count between 0 and 4),
  add constraint messages_content check (case when unsent_at is null then content ~ '\S' or photo_count > 0
    else content = '' and photo_count = 0 end) not valid;

create table message_photos (
  message_id bigint not null references messages on delete cascade,
  position smallint not null constraint message_photos_position check (position between 0 and 3),
  file_id bigint not null constraint message_photos_file unique references files,
  alt text not null default '' constraint message_photos_alt_length check (char_length(alt) <= 1000),
  primary key (message_id, position)
);

create or replace function empty_unsent_message() returns trigger language plpgsql as $$
begin
  perform from conversations where id = new.conversation_id for no key update;
  new.content := '';
  new.reply_to_id := null;
  new.photo_count := 0;
  return new;
end $$;

create function forget_message_photos() returns trigger language plpgsql as $$
begin
  delete from message_photos where message_id = new.id;
  return null;
end $$;
create trigger messages_unsent_photos after update of unsent_at on messages for each row
  when (old.photo_count > 0 and old.unsent_at is null and new.unsent_at is not null) execute function forget_message_photos();

-- The bytes follow, whoever takes the photo away: the store says so to the sender's clients first, therefore at the commit.
create function release_message_photo() returns trigger language plpgsql as $$
begin
  update files set state = 'deleting' where id = old.file_id and state = 'attached';
  return null;
end $$;
create constraint trigger message_photos_release after delete on message_photos
  deferrable initially deferred for each row execute function release_message_photo();

-- Who was not answered yet sends no pictures. Named to run after the trigger that makes a first message a request.
create function refuse_photos_of_request() returns trigger language plpgsql as $$
begin
  perform from conversations where id = new.conversation_id and asked_id <> new.sender_id;
  if found then
    raise exception 'the recipient has not answered yet'
      using errcode = '23514', constraint = 'messages_photos_admitted', table = 'messages';
  end if;
  return null;
end $$;
create trigger messages_by_request_photos after insert on messages for each row
  when (new.photo_count > 0) execute function refuse_photos_of_request();
