-- Reactions: one of six per member and message, which goes with the message's words.

create table message_reactions (
  message_id bigint not null references messages on delete cascade,
  user_id bigint not null references users on delete cascade,
  emoji text not null constraint message_reactions_emoji check (emoji in ('❤️', '😂', '😮', '😢', '👏', '🙏')),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (message_id, user_id)
);
create index message_reactions_by_user on message_reactions (user_id);

create function forget_reactions() returns trigger language plpgsql as $$
begin
  delete from message_reactions where message_id = new.id;
  return null;
end $$;
create trigger messages_unsent_reactions after update of unsent_at on messages for each row
  when (old.unsent_at is null and new.unsent_at is not null) execute function forget_reactions();

-- As messages do: none crosses a block that comes about meanwhile.
create function refuse_blocked_reaction() returns trigger language plpgsql as $$
declare
  talk conversations;
begin
  select c.* into talk from messages m join conversations c on c.id = m.conversation_id where m.id = new.message_id;
  perform refuse_blocked_pair(talk.low_id, talk.high_id, 'message_reactions');
  return null;
end $$;
create trigger message_reactions_blocked after insert or update on message_reactions
  for each row execute function refuse_blocked_reaction();
