-- Hands the groups of admins who closed their accounts to the oldest member who is still there, as closing does from now
-- on. A group without such a member keeps its admin, out of everybody's sight.
do $$
declare
  orphan record;
begin
  for orphan in
    select g.id, g.public_id, g.admin_id, oldest.user_id as successor from groups g
    join users u on u.id = g.admin_id
    join accounts a on a.id = u.account_id and a.status = 'blocked'
    cross join lateral (
      select m.user_id from group_members m
      join users mu on mu.id = m.user_id
      join accounts ma on ma.id = mu.account_id and ma.status = 'active'
      where m.group_id = g.id order by m.created_at, m.id limit 1
    ) oldest
    order by g.id for no key update of g
  loop
    update group_members set role = 'member' where group_id = orphan.id and user_id = orphan.admin_id;
    update group_members set role = 'admin' where group_id = orphan.id and user_id = orphan.successor;
    update groups set admin_id = orphan.successor where id = orphan.id;
    insert into account_events (account_id, event, about, whom)
    select u.account_id, 'group.handover', orphan.public_id, (select w.public_id from users w where w.id = orphan.successor)
    from users u where u.id = orphan.admin_id;
    insert into changes (collection, kind, row_id, public_id) values ('groups', 'update', orphan.id, orphan.public_id);
    insert into changes (collection, kind, row_id, public_id, group_id)
    select 'groupMembers', 'update', m.id, m.public_id, orphan.id from group_members m
    where m.group_id = orphan.id and m.user_id in (orphan.admin_id, orphan.successor);
  end loop;
end $$;
