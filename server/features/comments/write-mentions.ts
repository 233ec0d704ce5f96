/** Names that mention nobody stay plain text: they are neither stored nor notified. */
import { type RawBuilder, sql } from 'kysely'
import { type MemberKeyExpression, whereMayBeMentioned } from '../../policy/index.ts'
import type { MentionWriter } from '../../store/collection-effects.ts'

/** The statement that uses a source must call its row `written`. */
type MentionSource = {
  /** The columns whose change affects the mentions. */
  columns: readonly string[]
  /** A query of `user_id, post_id, comment_id`. */
  selected: RawBuilder<unknown>
  /** Matches a mention `m` that belongs to the row. */
  ofRow: RawBuilder<boolean>
}

const namedBy = (text: string, writer: string, post: string) => {
  const author = sql.ref<number>(writer) as MemberKeyExpression
  return sql`cross join lateral mentioned_members(${sql.ref(text)}) as named
    where ${sql.ref(text)} like '%@%' and named.id <> ${author}
      and ${whereMayBeMentioned(sql.ref<number>('named.id'), author, post)}`
}

const captionMentionSource: MentionSource = {
  columns: ['caption', 'group_id'],
  selected: sql`select named.id as user_id, written.id as post_id, null::bigint as comment_id from written
    ${namedBy('written.caption', 'written.creator_id', 'written')}`,
  ofRow: sql`m.post_id = written.id and m.comment_id is null`,
}

const commentMentionSource: MentionSource = {
  columns: ['content'],
  selected: sql`select named.id as user_id, written.post_id, written.id as comment_id from written
    join posts said_under on said_under.id = written.post_id
    ${namedBy('written.content', 'written.author_id', 'said_under')}`,
  ofRow: sql`m.comment_id = written.id`,
}

/** Renders a common table expression that begins with a comma. */
const insertMentionsCte = ({ selected }: MentionSource): RawBuilder<unknown> => sql`, mentioned as (
  insert into mentions (user_id, post_id, comment_id) ${selected} on conflict on constraint mentions_once do nothing)`

/** Also removes mentions of names that are no longer in the text. */
const updateMentionsCte = (
  source: MentionSource,
): RawBuilder<unknown> => sql`, named_now as materialized (${source.selected}),
  unmentioned as (
    delete from mentions m using written where ${source.ofRow} and m.user_id not in (select named_now.user_id from named_now)),
  mentioned as (
    insert into mentions (user_id, post_id, comment_id) select * from named_now on conflict on constraint mentions_once do nothing)`

const createMentionWriter = (source: MentionSource): MentionWriter => ({
  columns: source.columns,
  insertCte: insertMentionsCte(source),
  updateCte: updateMentionsCte(source),
})

export const captionMentions = createMentionWriter(captionMentionSource)
export const commentMentions = createMentionWriter(commentMentionSource)
