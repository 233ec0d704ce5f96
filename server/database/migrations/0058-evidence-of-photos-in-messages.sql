-- Of one reported message and twenty more each may have four photos, and each of these has a place of its own.

alter table evidence
  drop constraint evidence_position,
  add constraint evidence_position check (position between 0 and 104);
