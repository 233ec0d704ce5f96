/** Searches substrings, ignoring accents and case. */
import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Builds the condition that a text contains `term`.
 * @param folded the text as stored folded, which the index is on
 * @param term as typed; one of which nothing is left when it is folded finds nothing
 */
export const whereTextContains = (folded: Expression<unknown>, term: string): RawBuilder<boolean> =>
  sql`(${folded} like '%' || ${literal(term)} || '%' and fold(${term}) <> '')`

/** Reads a name as a member types it: `@bea` is Bea's username, and blanks in a row are one. */
export const toPersonTerm = (typed: string): string => typed.trim().replace(/^@+/, '').replace(/\s+/g, ' ')

/** What a post is searched by: its texts as stored folded, tags joined by blanks, and its tags. */
type SearchedPost = Record<'caption_folded' | 'tags_folded' | 'tags', Expression<unknown>>

/**
 * Builds the condition that a post has `term` in its caption or its tags. After a `#` it is a whole tag, or stands with the
 * sign in the caption.
 */
export function wherePostMentionsTerm(
  { caption_folded, tags_folded, tags }: SearchedPost,
  term: string,
): RawBuilder<boolean> {
  const tag = term.startsWith('#') ? term.replace(/^#+/, '') : null
  const inTags = tag ? sql`fold_each(${tags}) @> array[fold(${tag})]` : whereTextContains(tags_folded, term)
  return sql`(${whereTextContains(caption_folded, term)} or ${inTags})`
}

export const whereTextStartsWith = (folded: Expression<unknown>, term: string): RawBuilder<boolean> =>
  sql`${folded} like ${literal(term)} || '%'`

export const whereTextEndsWith = (folded: Expression<unknown>, term: string): RawBuilder<boolean> =>
  sql`${folded} like '%' || ${literal(term)}`

/** Builds the condition that a text is one of `texts`. @param folded as for `whereTextContains` */
export const whereTextEqualsAny = (
  folded: Expression<unknown>,
  texts: readonly string[],
): RawBuilder<boolean> =>
  sql`${folded} = any(array(select fold(given) from unnest(${texts}::text[]) as given))`

/** LIKE's wildcards are escaped after folding, which can make new ones: a full-width ％ folds to %. */
const literal = (term: string) => sql`regexp_replace(fold(${term}), '([\\\\%_])', '\\\\\\1', 'g')`

/**
 * Begins a search statement with a comment, by which it is never prepared by name and so planned for its own term: a rare
 * word wants the index, a common one the newest rows.
 */
export const sqlUnpreparedStatementComment = sql`/* planned for its term */`

/** How many of the newest posts are searched first; then `windowGrowth` times as many, until enough are found, up to so many; then all. */
const firstWindowPosts = 4096
const windowGrowth = 8
const lastWindowPosts = 262_144

/**
 * Selects the keys of the newest posts that match, newest first. The larger the community, the more captions match, and to
 * find all only to keep the newest takes ever longer (decision 0096): so the newest posts are searched first, in growing
 * windows, and finally all.
 * @param which a condition over `p`, the post, that an index on its caption answers
 */
export function selectNewestMatchingPostKeys(
  which: RawBuilder<unknown>,
  limit: number,
): RawBuilder<{ found: number[] }> {
  const newest = (within: RawBuilder<unknown>) => sql`array(
    select p.id from posts p where ${which} ${within} order by p.created_at desc, p.id desc limit ${sql.lit(limit)})`
  // A window's start is found by key, because keys can be counted back without reading; the window itself is by time, so
  // that it is right whatever the order of keys. The day is for the index, which has no finer unit.
  const since = newest(sql`and p.created_at >= since.at
    and (p.created_at at time zone 'UTC')::date >= (since.at at time zone 'UTC')::date`)
  return sql`${sqlUnpreparedStatementComment}
    with recursive looks (posts, whole, found) as (
      select ${sql.lit(firstWindowPosts)}::bigint, false, '{}'::bigint[]
      union all
      select looks.posts * ${sql.lit(windowGrowth)}, far.whole, case when far.whole then ${newest(sql``)} else ${since} end
      from looks,
        (select max(id) as id from posts) last,
        lateral (select looks.posts > ${sql.lit(lastWindowPosts)} or looks.posts * 4 >= last.id as whole) far,
        lateral (select created_at as at from posts where id >= last.id - looks.posts order by id limit 1) since
      where cardinality(looks.found) < ${sql.lit(limit)} and not looks.whole
    )
    select found from looks order by posts desc limit 1`
}
