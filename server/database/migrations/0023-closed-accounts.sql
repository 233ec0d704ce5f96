-- Whom every rule of reading leaves out (server/policy.ts), found without looking at who is there.
create index accounts_closed on accounts (id) where status = 'blocked';
