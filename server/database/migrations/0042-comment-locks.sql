-- One order of locks: the membership that grants a comment, its post, its thread. Whoever deletes a group locks its members before its
-- posts, as whoever likes a post does.
create or replace function take_comment_turn() returns trigger language plpgsql as $$
begin
  perform from group_members where user_id = new.author_id
    and group_id = (select group_id from posts where id = new.post_id) for share;
  perform from posts where id = new.post_id for no key update;
  if new.parent_id is not null then
    perform from comments where id = new.parent_id and post_id = new.post_id and parent_id is null for no key update;
    if not found then
      raise exception 'the thread is gone' using errcode = '23514', constraint = 'comments_parent', table = 'comments';
    end if;
  end if;
  new.id := nextval(pg_get_serial_sequence('comments', 'id'));
  new.created_at := clock_timestamp();
  return new;
end $$;
