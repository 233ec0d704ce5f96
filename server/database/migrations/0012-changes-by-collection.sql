-- Catching up reads what is one's own at once, and without a list of pending entries to search through first.
drop index changes_by_member;
create index changes_by_member on changes using gin (member_ids) with (fastupdate = off);

-- Who catches up with her chat alone must not read past everybody's posts to find that none of them is a message.
drop index changes_for_everyone;
create index changes_for_everyone on changes (collection, xid, id)
  where num_nonnulls(member_ids, group_id, account_id) = 0;
