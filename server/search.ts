/** Substring search, accent- and case-insensitive, over everything the one who asks may read (reading D-14). */
import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * `text` contains `term`, both folded; the index is on `fold(text)`.
 * @param term as typed. Wildcards of LIKE are escaped after folding, which can make new ones (a full-width ％ folds to %);
 * a term of which nothing is left finds nothing
 */
export function contains(text: Expression<unknown>, term: string): RawBuilder<boolean> {
  const pattern = sql`regexp_replace(fold(${term}), '([\\\\%_])', '\\\\\\1', 'g')`
  return sql`(fold(${text}) like '%' || ${pattern} || '%' and fold(${term}) <> '')`
}

/**
 * Begins a search statement. A text that does not begin with its verb is never prepared by name, so it is planned for
 * its own term: a rare word wants the index, a common one the newest rows.
 */
export const plannedForItsTerm = sql`/* planned for its term */`

/** The newest posts that are looked through first, by their number; then eight times as many, until enough are found. */
const FIRST_LOOK = 4096
const WIDER = 8

/**
 * The keys of the newest posts of which `which` holds, newest first. A rare word is in more captions the larger the
 * community is, and to find them all only to keep the newest takes as much longer (decision 0853): the newest posts are
 * looked through first, wider and wider, and all of them when there are not enough.
 * @param which a condition over `p`, the post, that an index on its caption answers
 */
export function newestPosts(which: RawBuilder<unknown>, atMost: number): RawBuilder<{ found: number[] }> {
  const newest = (within: RawBuilder<unknown>) => sql`array(
    select p.id from posts p where ${which} ${within} order by p.created_at desc, p.id desc limit ${sql.lit(atMost)})`
  // Where a look begins is told by a key, because keys can be counted back without reading; the look itself goes by time,
  // so that it is right whatever the order of the keys. The day is for the index, which knows no finer.
  const since = newest(sql`and p.created_at >= since.at
    and (p.created_at at time zone 'UTC')::date >= (since.at at time zone 'UTC')::date`)
  return sql`${plannedForItsTerm}
    with recursive looks (posts, whole, found) as (
      select ${sql.lit(FIRST_LOOK)}::bigint, false, '{}'::bigint[]
      union all
      select looks.posts * ${sql.lit(WIDER)}, far.whole, case when far.whole then ${newest(sql``)} else ${since} end
      from looks,
        (select max(id) as id from posts) last,
        lateral (select looks.posts * 4 >= last.id as whole) far,
        lateral (select created_at as at from posts where id >= last.id - looks.posts order by id limit 1) since
      where cardinality(looks.found) < ${sql.lit(atMost)} and not looks.whole
    )
    select found from looks order by posts desc limit 1`
}
