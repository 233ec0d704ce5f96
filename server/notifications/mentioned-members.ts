/** Finds whom a caption mentions, for those who are told and for the list alike. */
import { type RawBuilder, sql } from 'kysely'

/** Members whom one caption can mention. */
const maxMentions = 10

/**
 * Selects the members whom a caption names after an @, as `id`. Usernames may end as sentences do, in a full stop: of what can be
 * read as a name the longest that is somebody's counts.
 */
export const selectMentionedMembers = (caption: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select distinct longest.id from (
    select lower(found[1]) as name
    from regexp_matches(${caption}, '(?:^|[^[:alnum:]._@-])@([^[:space:]@,;:!?()"]{2,40})', 'g') as found limit ${sql.lit(maxMentions)}
  ) named cross join lateral (
    select u.id from generate_series(char_length(rtrim(named.name, '.-_…')), char_length(named.name)) as read (length)
    join users u on u.username_key = left(named.name, read.length)
    order by read.length desc limit 1
  ) longest`
