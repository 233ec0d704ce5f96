-- The desks of groups: their admins look at what is reported as spam, or as being in the wrong group.

-- A case that is passed on joins the moderators' open case of the same thing. Of a reporter who reported it at both desks the second
-- report is kept with its evidence, and not counted.
alter table reports add column repeated boolean not null default false;
alter table reports drop constraint reports_once;
create unique index reports_once on reports (case_id, reporter_id) where not repeated;

create index moderation_cases_of_group_desk on moderation_cases (group_id, created_at, id) where desk = 'group' and status = 'open';
