-- Counts the messages of a conversation only if the recipient has not answered. `asked_id = recipient and …` is null and not
-- false in an ordinary conversation, so every message counted all earlier ones twice.
create or replace function admit_message() returns trigger language plpgsql as $$
declare
  talk conversations;
  recipient bigint;
  wanted text;
begin
  select * into talk from conversations where id = new.conversation_id;
  recipient := case talk.low_id when new.sender_id then talk.high_id else talk.low_id end;
  if talk.last_message_id is null then
    select messages_from into wanted from users where id = recipient for share;
    if wanted <> 'nobody' then
      perform from follows where follower_id = recipient and following_id = new.sender_id;
      if found then return null; end if;
    end if;
    if wanted = 'ask' then
      update conversations set asked_id = recipient where id = talk.id;
    elsif wanted = 'everyone' then
      update conversations set unanswered_by = recipient where id = talk.id;
    else
      raise exception 'the recipient takes no messages of new people'
        using errcode = '23514', constraint = 'messages_admitted', table = 'messages';
    end if;
  elsif new.sender_id in (talk.asked_id, talk.unanswered_by) then
    update conversations set asked_id = null, declined_at = null, unanswered_by = null where id = talk.id;
  elsif recipient in (talk.asked_id, talk.unanswered_by) then
    if (select count(*) from messages m where m.conversation_id = talk.id)
      > (case recipient when talk.asked_id then 3 else 5 end) then
      raise exception 'the recipient has not answered yet'
        using errcode = '23514', constraint = 'messages_waiting', table = 'messages';
    end if;
  end if;
  return null;
end $$;
