-- When an admin handed the group over by hand, which accepts this handover: nobody can decline it any more.
alter table group_handovers add column handed_on_at timestamptz(3);
