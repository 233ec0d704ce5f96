-- Locks what writing a comment locks, in the same order, for the statement before the one that writes: that one then sees the post as it
-- is locked, and does not wait for a version of it behind others who wait for that one.

create function lock_for_comment(post bigint, member bigint) returns void language plpgsql as $$
begin
  perform from group_members where user_id = member and group_id = (select group_id from posts where id = post) for share;
  perform from posts where id = post for no key update;
end $$;
