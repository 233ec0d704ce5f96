-- The id of a deleted post, group or profile stays taken: addresses that others kept, sent or have open lead to it, and clients choose
-- ids, so whoever took it next would be met there. Of each deleted one 16 bytes of the hash of its id are kept, which name nobody.
create table taken_ids (id_hash uuid primary key);

create function hash_of_id(collection text, id text) returns uuid language sql immutable strict parallel safe as $$
  select encode(substr(sha256(convert_to(collection || ':' || id, 'UTF8')), 1, 16), 'hex')::uuid
$$;

insert into taken_ids
select hash_of_id(collection, public_id) from deleted_rows where collection in ('posts', 'groups', 'users')
on conflict do nothing;

create function keep_id_taken() returns trigger language plpgsql as $$
begin
  insert into taken_ids (id_hash) values (hash_of_id(tg_table_name, old.public_id)) on conflict do nothing;
  return null;
end $$;

-- After the row is written: a writer of the same id has waited at the unique index for whoever deletes it, and only a statement that
-- begins after that sees that it is gone.
create function refuse_taken_id() returns trigger language plpgsql as $$
begin
  if exists (select from taken_ids t where t.id_hash = hash_of_id(tg_table_name, new.public_id)) then
    raise exception 'an id that was taken before'
      using errcode = '23505', constraint = format('%s_public_id', tg_table_name), table = tg_table_name;
  end if;
  return null;
end $$;

create trigger posts_keep_id_taken after delete on posts for each row execute function keep_id_taken();
create trigger posts_refuse_taken_id after insert on posts for each row execute function refuse_taken_id();
create trigger groups_keep_id_taken after delete on groups for each row execute function keep_id_taken();
create trigger groups_refuse_taken_id after insert on groups for each row execute function refuse_taken_id();
create trigger users_keep_id_taken after delete on users for each row execute function keep_id_taken();
create trigger users_refuse_taken_id after insert on users for each row execute function refuse_taken_id();
