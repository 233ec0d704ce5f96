-- Each finished backup, for the operator: when, how much, and whether it was verified.
create table backups (
  id bigint generated always as identity primary key,
  finished_at timestamptz(3) not null default clock_timestamp(),
  -- Its folder, without the path.
  name text not null constraint backups_name check (char_length(name) between 1 and 255),
  scheduled boolean not null default false,
  rows bigint not null constraint backups_rows check (rows >= 0),
  files bigint not null constraint backups_files check (files >= 0),
  bytes bigint not null constraint backups_bytes check (bytes >= 0),
  encrypted boolean not null default false,
  verified boolean not null default false
);
create index backups_newest on backups (finished_at);

-- What the schedule attempted last, on whichever node.
create table backup_schedule (
  only_row boolean primary key default true constraint backup_schedule_only_row check (only_row),
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  failed_at timestamptz(3),
  error text constraint backup_schedule_error check (char_length(error) <= 500)
);

-- The move of all files between disk and S3. It resumes after `copied_key`, then after `verified_id`.
create table file_move (
  only_row boolean primary key default true constraint file_move_only_row check (only_row),
  target text not null constraint file_move_target check (target in ('disk', 's3')),
  copied_key text collate "C" not null default '' constraint file_move_copied_key_form check (copied_key ~ '^([a-z0-9]{32})?$'),
  -- Keys being copied: after a crash they may have been deleted meanwhile.
  in_flight text[] not null default '{}' constraint file_move_in_flight_length check (cardinality(in_flight) <= 200),
  files bigint not null default 0,
  bytes bigint not null default 0,
  started_at timestamptz(3) not null default clock_timestamp(),
  copied_at timestamptz(3),
  verified_id bigint not null default 0,
  verified_at timestamptz(3),
  -- The old copies are deleted.
  ended_at timestamptz(3)
);
