-- Which of the two have opened a conversation in which nothing was said yet: to the other it is not there. Of those from before nobody
-- knows, and they are there for both.
alter table conversations
  add column low_opened boolean not null default true,
  add column high_opened boolean not null default true;
