-- Whether the post form reminds a member of photos without a description; it did everybody.

alter table users add column alt_reminder boolean not null default true;
