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
