-- What a document nests, and what the older clients ask for by name.

-- A member's newest posts as somebody else sees them: which of them are in groups she may not read is known only row by
-- row, so neither of the partial indexes serves.
create index posts_by_creator on posts (creator_id, created_at desc, id desc);
-- The newest likes of a post.
create index post_likes_newest on post_likes (post_id, created_at desc, user_id desc);
-- Names are compared and searched one by one there, without case and accents; these indexes answer both.
create index users_by_folded_username on users using gin (fold(username) gin_trgm_ops);
create index users_by_folded_name on users using gin (fold(name) gin_trgm_ops);
