-- How a member leaves the web in a hurry; nobody did before.

alter table users
  add column quick_exit text not null default 'off' constraint users_quick_exit
    check (quick_exit in ('off', 'leave', 'sign-out'));
