-- Names and usernames together again: that both match is how the planner knows that few do, and takes the indexes.
create index users_by_name on users using gin (fold(name || ' ' || username) gin_trgm_ops);
-- What is known of how often words occur in captions went with the index that 0018 replaced.
analyze posts;
analyze users;
