-- What members of a group liked is the group's: it goes when the post leaves, as what they said does (decision 0189).

create function remove_likes_of_group() returns trigger language plpgsql as $$
begin
  delete from post_likes where post_id = new.id and user_id is distinct from new.creator_id;
  return null;
end $$;
create trigger posts_likes_of_group after update of group_id on posts for each row
  when (old.group_id is not null and new.group_id is distinct from old.group_id) execute function remove_likes_of_group();

-- A photo that somebody in it has hidden stays hidden to a group's admin where it is evidence, also when the post and the names in it
-- are gone.

alter table files add column hidden_evidence boolean not null default false;

create function keep_evidence_hidden() returns trigger language plpgsql as $$
begin
  update files f set hidden_evidence = true
  where f.id = old.file_id and exists (select from evidence e where e.file_id = f.id);
  return null;
end $$;
create trigger post_people_hidden_evidence after delete on post_people for each row
  when (old.hidden_at is not null) execute function keep_evidence_hidden();
