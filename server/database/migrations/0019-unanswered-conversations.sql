-- Limits strangers who wrote before and were never answered, as 0080 limits those who write now.
update conversations c set unanswered_by = case newest.sender_id when c.low_id then c.high_id else c.low_id end
from messages newest
where newest.id = c.last_message_id and c.asked_id is null
  and not exists (select from messages m where m.conversation_id = c.id and m.sender_id <> newest.sender_id)
  and not exists (select from follows f where f.following_id = newest.sender_id
    and f.follower_id = case newest.sender_id when c.low_id then c.high_id else c.low_id end);
