-- PostgreSQL locks a row as if its key changed when a table with a BEFORE UPDATE trigger has a plain unique index on a generated
-- column. Counting a member's posts then waited for every row being written that refers to the member, and two of the
-- member's posts at once waited for each other. Foreign keys cannot refer to a partial index, so it is no key.
alter table users drop constraint users_username;
create unique index users_username on users (username_key) where username_key is not null;
