-- The contract lists the kinds of notifications: a new kind needs no migration.
alter table notifications drop constraint notifications_kind,
  add constraint notifications_kind check (char_length(kind) <= 32) not valid;
alter table notifications validate constraint notifications_kind;

-- The member whom a row is about, where no other reference leads to them.
alter table notifications add column person_id bigint references users on delete cascade;
create index notifications_of_person on notifications (person_id) where person_id is not null;

-- Members who chose what to be pushed or emailed chose before comments and replies were notified.
update notification_delivery set push_kinds = push_kinds || array['comment', 'reply'] where push_kinds is not null;
update notification_delivery set mail_kinds = mail_kinds || array['comment', 'reply'] where mail_kinds is not null;
