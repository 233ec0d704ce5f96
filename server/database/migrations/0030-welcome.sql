-- Whether the welcome sheet still waits for the member. The web's sign-up sets it; members of today have none.
alter table users add column welcome_due boolean not null default false;
