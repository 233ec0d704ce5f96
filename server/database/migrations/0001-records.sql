-- The client's own id or 20 random characters.
create domain public_id as text collate "C" check (value ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$');

-- Tombstones. The id of a deleted row remains valid as a cursor for 24 hours, so that reading a list can continue.
create table deleted_rows (
  collection text collate "C" not null,
  public_id public_id not null,
  row_id bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3) not null default clock_timestamp(),
  -- The row's own foreign keys. Read rules use them to find out who could read the row. Everyone else cannot use its id
  -- as a cursor.
  keys jsonb not null default '{}',
  primary key (collection, public_id)
);
create index deleted_rows_by_time on deleted_rows (deleted_at);

-- Ids of deleted posts, groups and profiles. Clients choose ids, and old links still point to them, so nobody may reuse
-- one. The table stores 16 bytes of each id's hash.
create table taken_ids (
  id_hash uuid primary key
);

-- Also stores who hid a post's photo, because the read rule of deleted posts needs it.
create function remember_deleted() returns trigger language plpgsql as $$
declare
  gone jsonb := to_jsonb(old);
begin
  insert into deleted_rows (collection, public_id, row_id, created_at, updated_at, keys)
  values (tg_argv[0], old.public_id, old.id, old.created_at,
          coalesce((gone ->> 'updated_at')::timestamptz, old.created_at),
          (select jsonb_object_agg(key, value) from jsonb_each(gone)
           where (key = 'id' or key like '%\_id') and jsonb_typeof(value) = 'number'
             or key in ('followers_only', 'hidden_by', 'hidden_at', 'withheld_by')))
  on conflict (collection, public_id)
  do update set row_id = excluded.row_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
                deleted_at = excluded.deleted_at, keys = excluded.keys;
  return null;
end $$;

-- Moves `updated_at` by at least a millisecond, so that two edits never share a time. Attached `before update of` the
-- columns that a member edits, not counters or read marks.
create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

-- Fails with `state` as its SQLSTATE. Raising rolls back a write of one statement, and the state tells the server the
-- reason (server/store).
create function refuse(state text) returns bigint language plpgsql as $$
begin
  raise exception 'refused' using errcode = state;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what is on record stays as it is' using errcode = '23514', constraint = tg_table_name || '_fixed',
    table = tg_table_name;
end $$;

create function hash_of_id(collection text, id text) returns uuid language sql immutable strict parallel safe as $$
  select encode(substr(sha256(convert_to(collection || ':' || id, 'UTF8')), 1, 16), 'hex')::uuid
$$;

create function keep_id_taken() returns trigger language plpgsql as $$
begin
  insert into taken_ids (id_hash) values (hash_of_id(tg_table_name, old.public_id)) on conflict do nothing;
  return null;
end $$;

-- Runs after the row is written. A writer of the same id may have waited at the unique index for the deletion, and only
-- a later statement sees the result.
create function refuse_taken_id() returns trigger language plpgsql as $$
begin
  if exists (select from taken_ids t where t.id_hash = hash_of_id(tg_table_name, new.public_id)) then
    raise exception 'an id that was taken before'
      using errcode = '23505', constraint = format('%s_public_id', tg_table_name), table = tg_table_name;
  end if;
  return null;
end $$;
