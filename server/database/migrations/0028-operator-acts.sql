-- What operators did, in the app and by commands. Keys have no foreign key: the record outlives the accounts.
create table operator_acts (
  id bigint generated always as identity primary key,
  public_id public_id not null constraint operator_acts_public_id unique,
  act text not null constraint operator_acts_act check (char_length(act) between 1 and 40),
  -- The member who did it in the app. Null for a command and for the server.
  operator_id bigint,
  -- The user of the machine who ran the command.
  run_by text constraint operator_acts_run_by check (char_length(run_by) <= 64),
  about_id bigint,
  detail jsonb not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint operator_acts_actor check (operator_id is null or run_by is null)
);
create index operator_acts_to_purge on operator_acts (created_at);
create trigger operator_acts_fixed before update on operator_acts for each row execute function refuse_change();
create trigger operator_acts_kept before delete on operator_acts for each row
  when (old.created_at > clock_timestamp() - interval '24 months') execute function refuse_change();
