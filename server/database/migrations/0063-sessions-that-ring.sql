-- Whether a session's browser was turned on and never off: one that lost its subscription is subscribed anew. Another member in the same
-- browser is not, who has another session.
alter table sessions add column wants_push boolean not null default false;
