-- Takes letters in other dress for the letters they show: fullwidth, mathematical, circled, squared and small capital ones spelled
-- names of the operator, and usernames of others, that the rules of 0014 and 0018 did not see.

-- A text in plain letters: compatibility forms as the letters they stand for (Unicode Standard Annex 15, NFKC), and those that
-- Unicode gives no such form to: small capitals, white letters on black circles and squares, and the letters flags are made of.
create function plain_letters(given text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(given) = char_length(given) then given else translate(normalize(given, NFKC),
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘᴩꞯʀꜱᴛᴜᴠᴡʏᴢ' ||
    '🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩' ||
    '🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉' ||
    e'\U0001F1E6\U0001F1E7\U0001F1E8\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1EC\U0001F1ED\U0001F1EE' ||
    e'\U0001F1EF\U0001F1F0\U0001F1F1\U0001F1F2\U0001F1F3\U0001F1F4\U0001F1F5\U0001F1F6\U0001F1F7' ||
    e'\U0001F1F8\U0001F1F9\U0001F1FA\U0001F1FB\U0001F1FC\U0001F1FD\U0001F1FE\U0001F1FF',
    'abcdefghijkklmmnoppqrstuvwyz' ||
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
  end
$$;

-- A text without the marks that are put on Latin, Greek and Cyrillic letters, and around any.
create function without_marks(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(normalize(given, NFD),
    '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+', '', 'g')
$$;

create or replace function skeleton(given text) returns text language plpgsql immutable strict parallel safe as $$
declare
  looks constant jsonb := case when octet_length(given) = char_length(given) then '{}'::jsonb else confusables() end;
  seen text := regexp_replace(normalize(plain_letters(given), NFD),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164'
    '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]', '', 'g');
begin
  if looks <> '{}' then
    -- Twice: a capital may look like another letter than its small one, and both count.
    for turn in 1..2 loop
      seen := normalize(lower(plain_letters((
        select string_agg(coalesce(looks ->> letter, letter), '' order by place)
        from regexp_split_to_table(seen, '') with ordinality as letters (letter, place)))), NFD);
    end loop;
  end if;
  return replace(translate(lower(seen), '01i', 'oll'), 'rn', 'm');
end $$;

create or replace function username_skeleton(given text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    nullif(replace(
      regexp_replace(without_marks(skeleton(regexp_replace(without_marks(plain_letters(given)), '[._-]+', '', 'g'))), '[._-]+', '', 'g'),
      'rn', 'm'), ''),
    skeleton(given))
$$;

-- Also with the letters that are turned round to look foreign (ADMIИ, SOPOЯTE).
create or replace function plain_words(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(translate(without_marks(skeleton(given)), 'ᴎᴙия', 'nrnr'), '[^[:alpha:]]+', ' ', 'g')
$$;

-- As before, of the text in plain letters, and of letters that stand apart before another word (A D M I N Ana).
create or replace function impersonates_operator(given text, is_username boolean) returns boolean
language plpgsql immutable strict parallel safe as $$
declare
  -- As any word of a name or username.
  part constant text[] := regexp_split_to_array(plain_words('admin admins administrador administradora administradores
    administradoras administracion administrator administrators administration moderador moderadora moderadores moderadoras
    moderacion moderator moderators moderation soporte support suport staff sysadmin webmaster juntas'), ' ');
  -- As the whole of it.
  whole constant text[] := regexp_split_to_array(plain_words('mod mods root abuse postmaster hostmaster noreply'), ' ');
  -- As the whole of it, and put together with each other, with those above and with what says nothing more.
  role constant text := replace(plain_words('ayuda help helpdesk equipo team oficial official seguridad security sistema
    system atencionalcliente atencionalusuario atencionausuarias customercare customerservice'), ' ', '|');
  more constant text := replace(plain_words('app web online red social el la los las de del al the of and tu our su nuestro
    nuestra servicio servicios service cliente clientes usuaria usuarias usuario usuarios cuenta cuentas account accounts
    centro center tecnico tecnica technical verificado verificada verificacion verified privacidad privacy alerta alertas
    alert aviso avisos info informacion legal general global central bot hq real contacto contact chat comunidad community
    plataforma es com net org'), ' ', '|');
  composed constant text := format('^(%1$s|%2$s|%3$s)*(%1$s|%2$s)(%1$s|%2$s|%3$s)*$', array_to_string(part, '|'), role, more);
  plain constant text := plain_letters(given);
  apart constant text := regexp_replace(plain, '([[:lower:]])([[:upper:]])', '\1 \2', 'g');
  spelling text;
  words text;
  letters text;
begin
  -- As it is; with digits as what stands between words (admin2); with digits and signs for letters (4dm1n, $oporte).
  foreach spelling in array array[
    plain, apart, regexp_replace(plain, '[0-9]+', ' ', 'g'), translate(lower(plain), '34578@$!|€', 'eastbasile')
  ] loop
    spelling := trim(plain_words(spelling));
    -- With a letter that is said twice said once, with pairs that look like one letter, and with letters apart put together.
    foreach words in array array[
      spelling, regexp_replace(spelling, '(.)\1+', '\1', 'g'), replace(replace(spelling, 'cl', 'd'), 'vv', 'w'),
      regexp_replace(spelling, '\m(\w) (?=\w\M)', '\1', 'g')
    ] loop
      letters := replace(words, ' ', '');
      if part && regexp_split_to_array(words, ' ') or letters = any(whole) or letters ~ composed
        or position('juntas' in letters) > 0
      then
        return true;
      end if;
    end loop;
  end loop;
  return false;
end $$;

-- Of usernames that look alike from now on, the one that guarded its look before counts, else the oldest; all are kept.
drop index users_username_skeleton;
update users u set username_skeleton = case s.nth when 1 then s.skeleton end
from (
  select id, username_skeleton(username) as skeleton,
    row_number() over (partition by username_skeleton(username) order by username_skeleton is null, id) as nth
  from users
) s
where s.id = u.id and u.username_skeleton is distinct from case s.nth when 1 then s.skeleton end;
create unique index users_username_skeleton on users (username_skeleton);

-- What was left is held by how it looks now; of several that look alike, the one that is held longest.
with held as (
  delete from held_usernames where username_skeleton <> username_skeleton(username_skeleton) returning *
)
insert into held_usernames as h (username_skeleton, account_id, held_until)
select distinct on (username_skeleton(username_skeleton)) username_skeleton(username_skeleton), account_id, held_until from held
order by username_skeleton(username_skeleton), held_until desc, account_id
on conflict (username_skeleton) do update set account_id = excluded.account_id, held_until = excluded.held_until
  where h.held_until < excluded.held_until;
