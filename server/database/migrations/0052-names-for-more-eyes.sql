-- A yes to one's name in a photo is one to those who see the post at the time. Once others do, who said it is asked anew.
create function ask_named_anew() returns trigger language plpgsql as $$
begin
  update post_people set state = 'waiting', decided_at = null where post_id = new.id and state = 'shown';
  return null;
end $$;
-- After `posts_forget_named`, which takes the names off of who does not come along.
create trigger posts_name_anew after update of group_id, followers_only on posts for each row
  when (case when old.group_id is null then old.followers_only and (new.group_id is not null or not new.followers_only)
    else new.group_id is distinct from old.group_id end) execute function ask_named_anew();
