-- Checks what stands, in a transaction of its own: beside the changes before, nobody could report anything meanwhile.

alter table moderation_cases validate constraint moderation_cases_kind;
alter table evidence validate constraint evidence_kind;
