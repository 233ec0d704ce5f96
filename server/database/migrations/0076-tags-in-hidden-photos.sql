-- In a photo that somebody in it hid, a tag that ends stays as a declined one, whoever is tagged: who could be tagged anew would tell the
-- author who hid it.

create or replace function forget_named_member() returns trigger language plpgsql as $$
begin
  delete from post_people pp using posts p
  where pp.person_id = old.user_id and p.id = pp.post_id and p.group_id = old.group_id and pp.state <> 'declined'
    and not exists (select from post_people asked where asked.file_id = pp.file_id and asked.hidden_at is not null);
  update post_people pp set state = 'declined', decided_at = clock_timestamp() from posts p
  where pp.person_id = old.user_id and p.id = pp.post_id and p.group_id = old.group_id and pp.state <> 'declined';
  return null;
end $$;

create or replace function forget_named_outsiders() returns trigger language plpgsql as $$
begin
  delete from post_people pp where pp.post_id = new.id and pp.state <> 'declined'
    and not exists (select from post_people asked where asked.file_id = pp.file_id and asked.hidden_at is not null)
    and not exists (select from group_members m where m.group_id = new.group_id and m.user_id = pp.person_id for share);
  update post_people pp set state = 'declined', decided_at = clock_timestamp()
  where pp.post_id = new.id and pp.state <> 'declined'
    and not exists (select from group_members m where m.group_id = new.group_id and m.user_id = pp.person_id for share);
  return null;
end $$;
