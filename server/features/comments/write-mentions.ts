/**
 * Writes whom a text names, in the statement that writes the text: of the members named those alone who can see the post, and whom its
 * writer sees. Everybody else's name stays text, is stored nowhere and told to nobody.
 */
import { type RawBuilder, sql } from 'kysely'
import { type MemberKeyExpression, whereMayBeMentioned } from '../../policy/index.ts'

/** Where the mentions of a collection's row come from; in the statement the row is `written`. */
export type MentionSource = {
  /** Columns with which its mentions change. */
  columns: readonly string[]
  /** Selects `user_id, post_id, comment_id`. */
  selected: RawBuilder<unknown>
  /** The condition that a mention `m` is in the row. */
  ofRow: RawBuilder<boolean>
}

const namedBy = (text: string, writer: string, post: string) => {
  const author = sql.ref<number>(writer) as MemberKeyExpression
  return sql`cross join lateral mentioned_members(${sql.ref(text)}) as named
    where ${sql.ref(text)} like '%@%' and named.id <> ${author}
      and ${whereMayBeMentioned(sql.ref<number>('named.id'), author, post)}`
}

export const captionMentionSource: MentionSource = {
  columns: ['caption', 'group_id'],
  selected: sql`select named.id as user_id, written.id as post_id, null::bigint as comment_id from written
    ${namedBy('written.caption', 'written.creator_id', 'written')}`,
  ofRow: sql`m.post_id = written.id and m.comment_id is null`,
}

export const commentMentionSource: MentionSource = {
  columns: ['content'],
  selected: sql`select named.id as user_id, written.post_id, written.id as comment_id from written
    join posts said_under on said_under.id = written.post_id
    ${namedBy('written.content', 'written.author_id', 'said_under')}`,
  ofRow: sql`m.comment_id = written.id`,
}

/** Inserts the mentions of the new row `written`, as a common table expression that begins with a comma. */
export const insertMentionsCte = ({ selected }: MentionSource): RawBuilder<unknown> => sql`, mentioned as (
  insert into mentions (user_id, post_id, comment_id) ${selected} on conflict on constraint mentions_once do nothing)`

/** As `insertMentionsCte` of a row that was changed: whom it names no longer is not mentioned any more. */
export const updateMentionsCte = (
  source: MentionSource,
): RawBuilder<unknown> => sql`, named_now as materialized (${source.selected}),
  unmentioned as (
    delete from mentions m using written where ${source.ofRow} and m.user_id not in (select named_now.user_id from named_now)),
  mentioned as (
    insert into mentions (user_id, post_id, comment_id) select * from named_now on conflict on constraint mentions_once do nothing)`
