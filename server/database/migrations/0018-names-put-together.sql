-- Takes usernames that differ by accents or separators alone as one, and refuses names that are put together from the words of
-- an operator, whatever stands between their letters.

-- The skeleton of a username without accents and without what separates its words. One of which nothing would be left (Arabic
-- zeros look like full stops) keeps its skeleton.
create function username_skeleton(given text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    nullif(replace(
      regexp_replace(normalize(skeleton(
        regexp_replace(normalize(given, NFD), '[\u0300-\u036f._-]+', '', 'g')
      ), NFD), '[\u0300-\u036f._-]+', '', 'g'),
      'rn', 'm'), ''),
    skeleton(given))
$$;

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

-- The letters of a text as they look, without accents, words apart from each other by anything else.
create function plain_words(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(normalize(skeleton(given), NFD), '[\u0300-\u036f]', '', 'g'), '[^[:alpha:]]+', ' ', 'g')
$$;

-- Whether a name makes its member look like the operator. Digits, marks and accents, letters said twice, signs that look like
-- letters, capitals in the middle and spaces between letters do not make it another name. Names and usernames are judged
-- alike; nodes of the version before still say which one it is.
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
  apart constant text := regexp_replace(given, '([[:lower:]])([[:upper:]])', '\1 \2', 'g');
  spelling text;
  words text;
  letters text;
begin
  -- As it is; with digits as what stands between words (admin2); with digits and signs for letters (4dm1n, $oporte).
  foreach spelling in array array[
    given, apart, regexp_replace(given, '[0-9]+', ' ', 'g'), translate(lower(given), '34578@$!|€', 'eastbasile')
  ] loop
    spelling := trim(plain_words(spelling));
    -- With a letter that is said twice said once, and with pairs that look like one letter.
    foreach words in array array[
      spelling, regexp_replace(spelling, '(.)\1+', '\1', 'g'), replace(replace(spelling, 'cl', 'd'), 'vv', 'w')
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

create or replace function guard_names() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.username is distinct from old.username then
    if impersonates_operator(new.username, true) then
      raise exception 'a username of the operator' using errcode = '23514', constraint = 'users_username_reserved', table = 'users';
    end if;
    new.username_skeleton := username_skeleton(new.username);
  end if;
  if (tg_op = 'INSERT' or new.name is distinct from old.name) and impersonates_operator(new.name, false) then
    raise exception 'a name of the operator' using errcode = '23514', constraint = 'users_name_reserved', table = 'users';
  end if;
  return new;
end $$;
