-- Recovery codes may be asked for before there is an authenticator: in which session, so that those of another count for nothing once
-- there is one. Null since then. No foreign key: sessions are not in every backup.
alter table recovery_codes add column asked_in public_id;
