-- With whom a post was shared when it was shared, and what a picture lost on the way in: for its author alone.

alter table files
  -- What the upload carried besides what is seen.
  add column removed text[] not null default '{}' constraint files_removed
    check (removed <@ array['place', 'camera', 'time', 'text', 'thumbnail'] and cardinality(removed) <= 5);

alter table posts
  -- Null for posts from before.
  add column shared_with text constraint posts_shared_with check (shared_with in ('everyone', 'followers', 'group')),
  -- How many members could read it then; null for everyone, and where it was not counted.
  add column shared_count int constraint posts_shared_count check (shared_count >= 0),
  add column shared_at timestamptz(3),
  add constraint posts_shared check (num_nulls(shared_with, shared_at) in (0, 2)),
  add constraint posts_shared_with_everyone check (shared_with <> 'everyone' or shared_count is null);

-- A post that is new or comes to another place is shared at that moment; nothing else is sharing, and one that is hidden is not shared. After `posts_share`, by its
-- name, which says whether it is for followers. Who writes the post counts who reads it.
create function note_post_audience() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.group_id is not distinct from old.group_id or new.hidden_by is not null) then
    new.shared_with := old.shared_with;
    new.shared_count := old.shared_count;
    new.shared_at := old.shared_at;
    return new;
  end if;
  new.shared_with := case when new.group_id is not null then 'group' when new.followers_only then 'followers' else 'everyone' end;
  new.shared_count := case when new.shared_with <> 'everyone' then new.shared_count end;
  new.shared_at := case tg_op when 'INSERT' then new.created_at else clock_timestamp() end;
  return new;
end $$;
create trigger posts_shared_with before insert or update of group_id, shared_with, shared_count, shared_at on posts
  for each row execute function note_post_audience();
