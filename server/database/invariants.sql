-- Returns each broken invariant with the public id of the row that breaks it. A rule that a constraint already enforces is
-- listed only if a restore could bypass the constraint.
with broken (invariant, concerns) as (
  -- Accounts
  select 'a session that waits for its second factor has no JWT' as invariant, s.public_id as concerns from sessions s
    join jwts j on j.session_id = s.id where s.pending_until is not null

  union all select 'an account that waits for erasure is closed', a.public_id from deletions d
    join accounts a on a.id = d.account_id where d.state <> 'done' and a.status = 'active'
  union all select 'an erased account is closed and has no sign-in method', a.public_id from accounts a
    where a.erased_at is not null and (a.status = 'active' or num_nonnulls(a.email, a.phone, a.password_hash) > 0
      or exists (select from sessions s where s.account_id = a.id) or exists (select from identities i where i.account_id = a.id)
      or exists (select from passkeys p where p.account_id = a.id))
  union all select 'an erased account has only records that others keep', u.public_id from users u
    join accounts a on a.id = u.account_id and a.erased_at is not null
    where u.bio <> '' or u.image_id is not null or exists (select from posts p where p.creator_id = u.id)
      or exists (select from comments c where c.author_id = u.id and c.removed_at is null)
      or exists (select from group_members m where m.user_id = u.id)
      or exists (select from follows f where u.id in (f.follower_id, f.following_id))
  union all select 'a receipt names no account', d.public_id from deletions d where d.state = 'done' and d.account_id is not null

  -- People
  union all select 'a profile has an account', u.public_id from users u left join accounts a on a.id = u.account_id where a.id is null
  union all select 'follower_count is the number of followers', u.public_id from users u
    where u.follower_count <> (select count(*) from follows f where f.following_id = u.id)
  union all select 'following_count is the number of the followed', u.public_id from users u
    where u.following_count <> (select count(*) from follows f where f.follower_id = u.id)
  union all select 'post_count is the number of public posts', u.public_id from users u
    where u.post_count <> (select count(*) from posts p where p.creator_id = u.id and p.group_id is null)
  union all select 'followers_post_count is the number of posts for followers', u.public_id from users u
    where u.followers_post_count <> (select count(*) from posts p where p.creator_id = u.id and p.followers_only)
  union all select 'a private account has no public post', p.public_id from posts p
    join users u on u.id = p.creator_id and u.is_private where p.group_id is null and not p.followers_only
  union all select 'no member requests to follow someone she follows', r.public_id from follow_requests r
    join follows f on f.follower_id = r.asker_id and f.following_id = r.asked_id
  union all select 'an approved request is a follow', r.public_id from follow_requests r where r.status = 'approved'
  union all select 'no follow request crosses a block', r.public_id from follow_requests r
    join block_pairs p on p.member_id = r.asker_id and p.other_id = r.asked_id
  union all select 'no member follows herself', f.public_id from follows f where f.follower_id = f.following_id

  -- Notifications
  union all select 'no notification has a number above its member''s newest', n.public_id from notifications n
    left join notification_marks m on m.user_id = n.user_id where n.seq > coalesce(m.last_seq, 0)
  union all select 'a notification was not read beyond its number', n.public_id from notifications n where n.read_seq > n.seq

  -- Blocks
  union all select 'a block hides its two members from each other', b.public_id from blocks b
    where (select count(*) from block_pairs p where p.block_id = b.id
      and (p.member_id, p.other_id) in ((b.blocker_id, b.blocked_id), (b.blocked_id, b.blocker_id))) <> 2
  union all select 'a block works in both directions', b.public_id from block_pairs p
    join blocks b on b.id = p.block_id
    where not exists (select from block_pairs back
      where back.block_id = p.block_id and back.member_id = p.other_id and back.other_id = p.member_id)
  union all select 'a block affects only the blocker, the blocked member and newer accounts', b.public_id from block_pairs p
    join blocks b on b.id = p.block_id
    where b.blocker_id not in (p.member_id, p.other_id)
      or (not b.newer_accounts and b.blocked_id not in (p.member_id, p.other_id))
  union all select 'no follow crosses a block', f.public_id from follows f
    join block_pairs p on p.member_id = f.follower_id and p.other_id = f.following_id

  -- Groups
  union all select 'member_count is the number of members, and at least one', g.public_id from groups g
    where g.member_count < 1 or g.member_count <> (select count(*) from group_members m where m.group_id = g.id)
  union all select 'a group has exactly one admin, who is its admin_id', g.public_id from groups g
    where (select array_agg(m.user_id) from group_members m where m.group_id = g.id and m.role = 'admin')
      is distinct from array[g.admin_id]
  union all select 'a member has no pending request', r.public_id from group_requests r
    join group_members m on m.group_id = r.group_id and m.user_id = r.user_id where r.status = 'pending'
  union all select 'a request is processed once, with a time', r.public_id from group_requests r
    where (r.status = 'pending') <> (r.processed_at is null)

  -- Posts
  union all select 'a group post belongs to an existing group, or to a deleted group whose posts are being deleted', p.public_id from posts p
    where p.group_id is not null and not exists (select from groups g where g.id = p.group_id)
      and not exists (select from deleted_groups d where d.id = p.group_id)
  union all select 'like_count is the number of likes', p.public_id from posts p
    where p.like_count <> (select count(*) from post_likes l where l.post_id = p.id)
  union all select 'comment_count is the number of comments', p.public_id from posts p
    where p.comment_count <> (select count(*) from comments c where c.post_id = p.id and c.removed_at is null)
  union all select 'a mention is in a comment of its post that is not removed, and never of its writer', c.public_id from mentions m
    join comments c on c.id = m.comment_id where c.post_id <> m.post_id or c.removed_at is not null or c.author_id = m.user_id
  union all select 'a caption does not mention its author', p.public_id from mentions m join posts p on p.id = m.post_id
    where m.comment_id is null and m.user_id = p.creator_id
  union all select 'reply_count is the number of replies', c.public_id from comments c
    where c.reply_count <> (select count(*) from comments a where a.parent_id = c.id)
  union all select 'a comment''s like_count is the number of its likes', c.public_id from comments c
    where c.like_count <> (select count(*) from comment_likes l where l.comment_id = c.id)
  union all select 'a reply belongs to a thread of its post', a.public_id from comments a
    join comments t on t.id = a.parent_id where t.parent_id is not null or t.post_id <> a.post_id
  union all select 'a removed comment has replies and no text', c.public_id from comments c
    where c.removed_at is not null and (c.reply_count = 0 or c.content <> '')
  union all select 'a post has its own attached picture', p.public_id from posts p
    left join files f on f.id = p.image_id and f.state = 'attached' and f.purpose = 'post' where f.id is null
  union all select 'photo_count is the number of photos', p.public_id from posts p
    where p.photo_count <> 1 + (select count(*) from post_photos pp where pp.post_id = p.id)
  union all select 'a post has at most fifty earlier versions', p.public_id from posts p
    where (select count(*) from post_edits e where e.post_id = p.id) > 50
  union all select 'a post has exactly the topics of its tags and its place', p.public_id from posts p
    where (select array_agg((t.kind, t.topic, t.creator_id, t.group_id, t.followers_only, t.created_at)::text order by t.kind, t.topic)
        from post_topics t where t.post_id = p.id)
      is distinct from (select array_agg((t.kind, t.topic, p.creator_id, p.group_id, p.followers_only, p.created_at)::text
        order by t.kind, t.topic collate "C") from topics_of(p.tags, p.location) t)
  union all select 'the positions of photos have no gaps', p.public_id from posts p
    where (select max(pp.position) from post_photos pp where pp.post_id = p.id) <> p.photo_count - 1
  union all select 'each photo is an attached file of one post', f.public_id from post_photos pp join files f on f.id = pp.file_id
    where f.state <> 'attached' or f.purpose <> 'post' or exists (select from posts p where p.image_id = pp.file_id)
  union all select 'the first member who hid a photo is recorded', p.public_id from posts p
    cross join lateral (select p.image_id as file_id, p.withheld_by
      union all select pp.file_id, pp.withheld_by from post_photos pp where pp.post_id = p.id) photo
    where photo.withheld_by is distinct from (select n.person_id from post_people n
      where n.file_id = photo.file_id and n.hidden_at is not null order by n.hidden_at, n.id limit 1)
  union all select 'a cover is hidden only if the post has no visible photo', p.public_id from posts p
    where p.withheld_by is not null and exists (select from post_photos pp where pp.post_id = p.id and pp.withheld_by is null)
  union all select 'a photo tag belongs to a photo of its post', n.public_id from post_people n join posts p on p.id = n.post_id
    where p.image_id <> n.file_id and not exists (select from post_photos pp where pp.post_id = p.id and pp.file_id = n.file_id)
  union all select 'a member tagged in a group''s photo is a member of the group', n.public_id from post_people n
    join posts p on p.id = n.post_id and p.group_id is not null
    where n.state <> 'declined' and not exists (select from group_members m where m.group_id = p.group_id and m.user_id = n.person_id)
  union all select 'no edit is older than its post', p.public_id from posts p where p.updated_at < p.created_at

  -- Files
  union all select 'an attached file belongs to a record', f.public_id from files f
    where f.state = 'attached'
      and not exists (select from posts p where p.image_id = f.id and f.purpose = 'post')
      and not exists (select from post_photos pp where pp.file_id = f.id and f.purpose = 'post')
      and not exists (select from message_photos mp where mp.file_id = f.id and f.purpose = 'message')
      and not exists (select from users u where u.image_id = f.id and f.purpose = 'user')
      and not exists (select from groups g where g.image_id = f.id and f.purpose = 'group')
  union all select 'a profile picture is attached', u.public_id from users u
    join files f on f.id = u.image_id where f.state <> 'attached' or f.purpose <> 'user'
  union all select 'a group picture is attached', g.public_id from groups g
    join files f on f.id = g.image_id where f.state <> 'attached' or f.purpose <> 'group'
  union all select 'an upload without a record is deleted after a day', f.public_id from files f
    where f.state in ('uploading', 'ready') and f.updated_at < clock_timestamp() - interval '25 hours'
  union all select 'evidence refers to a finished file', e.report_id::text from evidence e
    join files f on f.id = e.file_id where f.sha256 is null or f.state = 'uploading'
  union all select 'evidence of a decided case has an end', e.report_id::text from evidence e
    join reports r on r.id = e.report_id join moderation_cases c on c.id = r.case_id
    where (c.status = 'decided') <> (e.kept_until is not null)
  union all select 'a decided case is in the moderation log', c.public_id from moderation_cases c
    where c.status = 'decided' and c.decided_by is not null
      and not exists (select from moderation_log l where l.case_id = c.id and l.act = c.decision)
  union all select 'a suspended account is closed', a.public_id from suspensions s join accounts a on a.id = s.account_id
    where s.lifted_at is null and a.status = 'active'

  -- Chat
  union all select 'a conversation has two different participants', c.public_id from conversations c
    where c.low_id >= c.high_id
  union all select 'the sender of a message is a participant', m.public_id from messages m
    join conversations c on c.id = m.conversation_id where m.sender_id not in (c.low_id, c.high_id)
  union all select 'a message has content until it is unsent', m.public_id from messages m
    where (m.content ~ '\S' or m.photo_count > 0 or m.shares) <> (m.unsent_at is null)
  union all select 'a message''s photo_count is the number of its photos, one after the other', m.public_id from messages m
    where (select coalesce(array_agg(mp.position::int order by mp.position), '{}') from message_photos mp where mp.message_id = m.id)
      <> array(select generate_series(0, m.photo_count - 1))
  union all select 'each photo of a message is an attached file of its sender''s', f.public_id from message_photos mp
    join files f on f.id = mp.file_id join messages m on m.id = mp.message_id
    where f.state <> 'attached' or f.purpose <> 'message' or f.owner_id <> m.sender_id
  union all select 'a conversation shows its newest message that is not unsent, or its newest', c.public_id from conversations c
    where c.last_message_id is distinct from coalesce(
      (select m.id from messages m where m.conversation_id = c.id and m.unsent_at is null order by m.id desc limit 1),
      (select max(m.id) from messages m where m.conversation_id = c.id))
  union all select 'a reply refers to a message of its own conversation', m.public_id from messages m
    join messages answered on answered.id = m.reply_to_id where answered.conversation_id <> m.conversation_id
  union all select 'an unsent message has no reactions, and every reaction is by a participant', m.public_id from message_reactions r
    join messages m on m.id = r.message_id join conversations c on c.id = m.conversation_id
    where m.unsent_at is not null or r.user_id not in (c.low_id, c.high_id)
  union all select 'an unsent message is not unread', c.public_id from conversations c
    join messages m on m.id = c.last_message_id
    where m.unsent_at is not null and least(c.low_read_id, c.high_read_id) < m.id
  union all select 'no read mark is beyond the newest message', c.public_id from conversations c
    where greatest(c.low_read_id, c.high_read_id)
      > coalesce((select max(m.id) from messages m where m.conversation_id = c.id), 0)
  union all select 'no receipt is beyond its read mark', c.public_id from conversations c
    where c.low_receipt_id > c.low_read_id or c.high_receipt_id > c.high_read_id
  union all select 'the recipient of a request has not answered, and received at most three messages', c.public_id from conversations c
    where c.asked_id is not null and (
      exists (select from messages m where m.conversation_id = c.id and m.sender_id = c.asked_id)
      or (select count(*) from messages m where m.conversation_id = c.id) not between 1 and 3)
  union all select 'the recipient of an unanswered stranger has written nothing', c.public_id from conversations c
    where exists (select from messages m where m.conversation_id = c.id and m.sender_id = c.unanswered_by)
  union all select 'message order is time order', m.public_id from
    (select public_id, created_at, lag(created_at) over (partition by conversation_id order by id) before from messages) m
    where m.created_at < m.before

  -- Accounts
  union all select 'a blocked account has no session', s.public_id from sessions s
    join accounts a on a.id = s.account_id where a.status <> 'active' and s.expires_at > clock_timestamp()
  union all select 'no one-time secret was used after it expired', t.public_id from tokens t where t.used_at > t.expires_at
)
select invariant, concerns from broken order by invariant, concerns;
