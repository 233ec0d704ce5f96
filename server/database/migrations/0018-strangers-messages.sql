-- A stranger, whom the recipient does not follow, has five messages and no photos until the recipient answers or accepts, whatever
-- the recipient chose about first messages.
alter table conversations
  -- The recipient of a stranger's messages who has neither answered nor accepted. Null while `asked_id` is set, which has its own limit.
  add column unanswered_by bigint references users on delete cascade,
  add constraint conversations_unanswered check (
    unanswered_by is null or unanswered_by in (low_id, high_id) and asked_id is null);

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
  elsif talk.asked_id = recipient and (select count(*) from messages m where m.conversation_id = talk.id) > 3
    or talk.unanswered_by = recipient and (select count(*) from messages m where m.conversation_id = talk.id) > 5 then
    raise exception 'the recipient has not answered yet'
      using errcode = '23514', constraint = 'messages_waiting', table = 'messages';
  end if;
  return null;
end $$;

create or replace function refuse_photos_of_request() returns trigger language plpgsql as $$
begin
  perform from conversations
    where id = new.conversation_id and (asked_id <> new.sender_id or unanswered_by <> new.sender_id);
  if found then
    raise exception 'the recipient has not answered yet'
      using errcode = '23514', constraint = 'messages_photos_admitted', table = 'messages';
  end if;
  return null;
end $$;
