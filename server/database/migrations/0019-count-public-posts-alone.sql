-- The count of a member's public posts does not change with a group's posts, of which a group's end takes many at once.
drop trigger posts_count on posts;
create trigger posts_count_new after insert on posts for each row
  when (new.group_id is null) execute function count_public_posts();
create trigger posts_count_gone after delete on posts for each row
  when (old.group_id is null) execute function count_public_posts();
