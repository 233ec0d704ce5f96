-- Sharing a post into a conversation: the message keeps the post's key and nothing of the post, which each reader's own permission shows.

alter table messages
  drop constraint messages_content,
  add column shared_post_id bigint references posts on delete set null,
  -- Stays true when the post is gone.
  add column shares boolean not null default false,
  add constraint messages_content check (case when unsent_at is null then content ~ '\S' or photo_count > 0 or shares
    else content = '' and photo_count = 0 and not shares end) not valid,
  add constraint messages_shared check (shared_post_id is null or shares) not valid;
create index messages_sharing on messages (shared_post_id) where shared_post_id is not null;

create or replace function empty_unsent_message() returns trigger language plpgsql as $$
begin
  perform from conversations where id = new.conversation_id for no key update;
  new.content := '';
  new.reply_to_id := null;
  new.photo_count := 0;
  new.shares := false;
  new.shared_post_id := null;
  return new;
end $$;
