-- Rows that left somebody's sight are told by id and time. Records of before, kept for seven days, also named the group a
-- post moved into and members whom the recipient need not know: those columns go.
update changes set state = state - '{group_id,creator_id,user_id}'::text[]
where kind = 'delete' and case collection
  when 'posts' then not state ? 'caption'
  when 'groupMembers' then not state ? 'role' and member_ids <> array[(state ->> 'user_id')::bigint]
  when 'groupRequests' then not state ? 'status'
end;
