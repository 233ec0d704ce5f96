-- What followers of a private account liked is theirs as what a group liked is the group's: it goes when the post moves into a group (decision
-- 0220). Opening the account, which shows earlier posts by the owner's choice, moves none.

create or replace trigger posts_likes_of_group after update of group_id on posts for each row
  when ((old.group_id is not null or old.followers_only) and new.group_id is distinct from old.group_id)
  execute function remove_likes_of_group();
