-- Limits of members' texts count UTF-16 units, as the contract and the browser do. The checks of the tables count characters, and are
-- wider for texts with emoji. Triggers leave texts alone that were stored before and are not written again.

create function utf16_length(text text) returns integer language sql immutable strict parallel safe as $$
  select case when octet_length($1) = char_length($1) then char_length($1)
    else 2 * char_length($1) - char_length(regexp_replace($1, '[\U00010000-\U0010FFFF]', '', 'g')) end
$$;

create function refuse_long_text() returns trigger language plpgsql as $$
begin
  raise exception 'a text of "%" is too long', tg_table_name
    using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
end $$;

create trigger users_name_units before insert or update of name on users for each row
  when (char_length(new.name) > 64 and utf16_length(new.name) > 128) execute function refuse_long_text();
create trigger users_bio_units before insert or update of bio on users for each row
  when (char_length(new.bio) > 1100 and utf16_length(new.bio) > 2200) execute function refuse_long_text();
create trigger groups_name_units before insert or update of name on groups for each row
  when (char_length(new.name) > 25 and utf16_length(new.name) > 50) execute function refuse_long_text();
create trigger groups_description_units before insert or update of description on groups for each row
  when (char_length(new.description) > 100 and utf16_length(new.description) > 200) execute function refuse_long_text();
create trigger posts_caption_units before insert or update of caption on posts for each row
  when (char_length(new.caption) > 1100 and utf16_length(new.caption) > 2200) execute function refuse_long_text();
create trigger posts_location_units before insert or update of location on posts for each row
  when (char_length(new.location) > 500 and utf16_length(new.location) > 1000) execute function refuse_long_text();
create trigger messages_content_units before insert or update of content on messages for each row
  when (char_length(new.content) > 2000 and utf16_length(new.content) > 4000) execute function refuse_long_text();
create trigger comments_content_units before insert or update of content on comments for each row
  when (char_length(new.content) > 500 and utf16_length(new.content) > 1000) execute function refuse_long_text();
