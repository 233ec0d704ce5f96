-- One trigger instead of three refuses a message between blocked members, limits a stranger's messages and makes the
-- message the newest of its conversation. It reads and updates the conversation once.
create or replace function take_message_turn() returns trigger language plpgsql as $$
declare
  talk record;
begin
  select low_id, high_id, updated_at into talk from conversations where id = new.conversation_id for no key update;
  if new.sender_id not in (talk.low_id, talk.high_id) then
    raise exception 'the sender is not a participant' using errcode = '23514', constraint = 'messages_sender_participates';
  end if;
  new.id := nextval('messages_id_seq');
  new.created_at := greatest(clock_timestamp(), talk.updated_at);
  return new;
end $$;

create function admit_and_show_message() returns trigger language plpgsql as $$
declare
  talk conversations;
  recipient bigint;
  wanted text;
  follows_sender boolean := false;
begin
  select * into talk from conversations where id = new.conversation_id;
  perform pg_advisory_xact_lock_shared(pair_key(talk.low_id, talk.high_id));
  -- A separate statement, so that it sees a block that committed while this waited for the lock.
  perform from block_pairs p where p.member_id = talk.low_id and p.other_id = talk.high_id;
  if found then
    raise exception 'they are kept from each other'
      using errcode = '23514', constraint = 'messages_not_blocked', table = 'messages';
  end if;

  recipient := case talk.low_id when new.sender_id then talk.high_id else talk.low_id end;
  if talk.last_message_id is null then
    select messages_from into wanted from users where id = recipient for share;
    if wanted <> 'nobody' then
      follows_sender := exists (select from follows where follower_id = recipient and following_id = new.sender_id);
    end if;
    if follows_sender then
      null;
    elsif wanted = 'ask' then
      talk.asked_id := recipient;
    elsif wanted = 'everyone' then
      talk.unanswered_by := recipient;
    else
      raise exception 'the recipient takes no messages of new people'
        using errcode = '23514', constraint = 'messages_admitted', table = 'messages';
    end if;
  elsif new.sender_id in (talk.asked_id, talk.unanswered_by) then
    talk.asked_id := null;
    talk.declined_at := null;
    talk.unanswered_by := null;
  elsif recipient in (talk.asked_id, talk.unanswered_by) then
    if (select count(*) from messages m where m.conversation_id = talk.id)
      > (case recipient when talk.asked_id then 3 else 5 end) then
      raise exception 'the recipient has not answered yet'
        using errcode = '23514', constraint = 'messages_waiting', table = 'messages';
    end if;
  end if;

  update conversations set
    last_message_id = new.id,
    updated_at = new.created_at,
    low_read_id = case low_id when new.sender_id then new.id else low_read_id end,
    high_read_id = case high_id when new.sender_id then new.id else high_read_id end,
    asked_id = talk.asked_id,
    declined_at = talk.declined_at,
    unanswered_by = talk.unanswered_by
  where id = new.conversation_id;
  return null;
end $$;

-- The name precedes messages_by_request_photos, which reads what this trigger writes.
create trigger messages_admit after insert on messages for each row execute function admit_and_show_message();
drop trigger messages_blocked on messages;
drop trigger messages_by_request on messages;
drop trigger messages_last on messages;
drop function refuse_blocked_message;
drop function admit_message;
drop function show_last_message;
