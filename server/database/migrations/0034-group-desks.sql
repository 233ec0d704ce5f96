-- The desks of groups: their admins look at what is reported as spam, or as being in the wrong group.

-- A case that is passed on joins the moderators' open case of the same thing. Of a reporter who reported it at both desks the second
-- report is kept with its evidence, and not counted: its number is not 0. The constraint keeps its name, by which nodes of the
-- version before ask for it.
alter table reports add column repeated int not null default 0;
alter table reports drop constraint reports_once, add constraint reports_once unique (case_id, reporter_id, repeated);
-- The desk that the reason chose; null for reports from before, and of nodes of the version before.
alter table reports add column desk text constraint reports_desk check (desk in ('group', 'moderators'));

-- Who deletes a post notes it in its cases, open and decided.
create index moderation_cases_by_subject on moderation_cases (kind, subject_id);
create index moderation_cases_of_group_desk on moderation_cases (group_id, created_at, id) where desk = 'group' and status = 'open';
