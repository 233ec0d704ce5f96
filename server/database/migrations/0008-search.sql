-- Substring search over folded text; pg_trgm is a trusted extension, so the database's owner may create it.
create extension if not exists pg_trgm;

create index posts_by_caption on posts using gin (fold(caption) gin_trgm_ops);
create index users_by_name on users using gin (fold(name || ' ' || username) gin_trgm_ops);
