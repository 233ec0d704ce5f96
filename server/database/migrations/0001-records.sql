-- What every record shares: the id that leaves the server, the time it was last edited, what is remembered of it once it is
-- deleted, and how a write is refused from within its own statement. Keys inside the database are bigint and never leave it.

-- The client's own id or 20 random characters.
create domain public_id as text collate "C" check (value ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$');

-- Tombstones: the id of a deleted row still works as a cursor for 24 h, so that a list does not break under its reader.
create table deleted_rows (
  collection text collate "C" not null,
  public_id public_id not null,
  row_id bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3) not null default clock_timestamp(),
  -- The row's own foreign keys. Read rules take them to tell who could read it: for everyone else it is no cursor.
  keys jsonb not null default '{}',
  primary key (collection, public_id)
);
create index deleted_rows_by_time on deleted_rows (deleted_at);

-- Writes the tombstone. Attached `after delete` to a collection's table, with the collection's name as its argument.
create function remember_deleted() returns trigger language plpgsql as $$
declare
  gone jsonb := to_jsonb(old);
begin
  insert into deleted_rows (collection, public_id, row_id, created_at, updated_at, keys)
  values (tg_argv[0], old.public_id, old.id, old.created_at,
          coalesce((gone ->> 'updated_at')::timestamptz, old.created_at),
          (select jsonb_object_agg(key, value) from jsonb_each(gone)
           where (key = 'id' or key like '%\_id') and jsonb_typeof(value) = 'number'))
  on conflict (collection, public_id)
  do update set row_id = excluded.row_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
                deleted_at = excluded.deleted_at, keys = excluded.keys;
  return null;
end $$;

-- Moves `updated_at` on by a millisecond at least, so that two edits never share a time. Attached `before update of` the
-- columns that a member edits: counters and read marks are no edits.
create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

-- Fails with `state` as its SQLSTATE. A write that is one statement is its own transaction: raising takes back all of it, and
-- the state tells the server which refusal it was (server/store).
create function refuse(state text) returns bigint language plpgsql as $$
begin
  raise exception 'refused' using errcode = state;
end $$;
