-- Comments can be reported.

alter table moderation_cases
  drop constraint moderation_cases_kind,
  add constraint moderation_cases_kind check (kind in ('post', 'member', 'message', 'group', 'comment')) not valid;
alter table evidence
  drop constraint evidence_kind,
  add constraint evidence_kind check (kind in ('post', 'member', 'message', 'group', 'comment')) not valid;

-- Looked up whenever a comment goes: whether there is a case of it.
create index moderation_cases_of_comments on moderation_cases (subject_id) where kind = 'comment';
