-- The keys by which a rule of reading tells whose a row was: gone, it is the cursor of those alone who could read it.
alter table deleted_rows add column keys jsonb not null default '{}';

create or replace function remember_deleted() returns trigger language plpgsql as $$
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
