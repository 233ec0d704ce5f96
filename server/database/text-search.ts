import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Ignores accents and case.
 * @param folded the stored and indexed text
 * @param term as typed; matches nothing if folding leaves it empty
 */
export const whereTextContains = (folded: Expression<unknown>, term: string): RawBuilder<boolean> =>
  sql`(${folded} like '%' || ${literal(term)} || '%' and fold(${term}) <> '')`

export const toPersonTerm = (typed: string): string => typed.trim().replace(/^@+/, '').replace(/\s+/g, ' ')

type SearchedPost = Record<'caption_folded' | 'tags_folded' | 'tags', Expression<unknown>>

/** `#term` matches a whole tag, or `#term` itself in the caption. */
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

export const whereTextEqualsAny = (
  folded: Expression<unknown>,
  texts: readonly string[],
): RawBuilder<boolean> =>
  sql`${folded} = any(array(select fold(given) from unnest(${texts}::text[]) as given))`

/** Escapes LIKE wildcards after folding, which can create them: a full-width ％ becomes %. */
const literal = (term: string) => sql`regexp_replace(fold(${term}), '([\\\\%_])', '\\\\\\1', 'g')`

/**
 * Prevents preparing the statement: a rare word needs the index; for a common word, reading the newest rows
 * is faster.
 */
export const sqlUnpreparedStatementComment = sql`/* planned for its term */`

/**
 * Each window is `windowGrowth` times larger than the last. After the last window, all posts are searched.
 * The last window is skipped if the one before has no match: the word is then so rare that the index finds all its
 * posts sooner than it reads a window of that size.
 */
const firstWindowPosts = 4096
const windowGrowth = 8
const lastWindowPosts = 262_144

/**
 * Finding all matches becomes slower as the community grows, so windows of the newest posts come first.
 * @param which a condition over `p` that a caption index supports
 */
export function selectNewestMatchingPostKeys(
  which: RawBuilder<unknown>,
  limit: number,
): RawBuilder<{ found: number[] }> {
  const newest = (within: RawBuilder<unknown>) => sql`array(
    select p.id from posts p where ${which} ${within} order by p.created_at desc, p.id desc limit ${sql.lit(limit)})`
  // The window starts at a key, because counting keys reads no rows. The filter uses the time, so the order
  // of keys does not matter. The index groups posts by day.
  const since = newest(sql`and p.created_at >= since.at
    and (p.created_at at time zone 'UTC')::date >= (since.at at time zone 'UTC')::date`)
  return sql`${sqlUnpreparedStatementComment}
    with recursive looks (posts, whole, found) as (
      select ${sql.lit(firstWindowPosts)}::bigint, false, '{}'::bigint[]
      union all
      select looks.posts * ${sql.lit(windowGrowth)}, far.whole, case when far.whole then ${newest(sql``)} else ${since} end
      from looks,
        (select max(id) as id from posts) last,
        lateral (select looks.posts > ${sql.lit(lastWindowPosts)} or looks.posts * 4 >= last.id
          or (looks.posts = ${sql.lit(lastWindowPosts)} and cardinality(looks.found) = 0) as whole) far,
        lateral (select created_at as at from posts where id >= last.id - looks.posts order by id limit 1) since
      where cardinality(looks.found) < ${sql.lit(limit)} and not looks.whole
    )
    select found from looks order by posts desc limit 1`
}
