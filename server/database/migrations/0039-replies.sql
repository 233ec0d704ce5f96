-- Answering a message: what is answered is read through its row and never copied, so that unsending it empties every quote.

alter table messages
  add column reply_to_id bigint references messages on delete set null,
  add constraint messages_unsent_answers_nothing check (unsent_at is null or reply_to_id is null) not valid;
create index messages_answering on messages (reply_to_id) where reply_to_id is not null;

create or replace function empty_unsent_message() returns trigger language plpgsql as $$
begin
  perform from conversations where id = new.conversation_id for no key update;
  new.content := '';
  new.reply_to_id := null;
  return new;
end $$;

-- What is answered is of the same conversation and not unsent. Named to run after the trigger that takes the conversation's lock,
-- which unsending takes too. A retry of what is stored is answered as ever, whatever became of the other message.
create function check_answered_message() returns trigger language plpgsql as $$
begin
  perform from messages where id = new.reply_to_id and conversation_id = new.conversation_id and unsent_at is null;
  if not found then
    perform from messages where public_id = new.public_id;
    if found then
      new.reply_to_id := null;
      return new;
    end if;
    raise exception 'the answered message is gone'
      using errcode = '23514', constraint = 'messages_answered', table = 'messages';
  end if;
  return new;
end $$;
create trigger messages_turn_answered before insert on messages for each row
  when (new.reply_to_id is not null) execute function check_answered_message();
