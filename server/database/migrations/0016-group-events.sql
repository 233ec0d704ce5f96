-- Who decided what about a group, beside what she did with her account (security reference §5.8). The group may be gone:
-- ids are kept, not keys.
alter table account_events
  -- The group.
  add column about public_id,
  -- The member it was done to.
  add column whom public_id;
