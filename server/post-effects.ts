/** What a change of a post brings with it, whichever door asked (architecture §14.5). */
import { type Selectable, sql } from 'kysely'
import type { Tables } from './database/schema.ts'
import type { Writing } from './store.ts'

type Post = Selectable<Tables['posts']>

/** A post that moves into a group, or to another, leaves the sight of those who saw it before (reading R-05). */
export async function postMoved(writing: Writing, before: Post, after: Post): Promise<void> {
  if (before.group_id === after.group_id || after.group_id === null) return
  const sawIt =
    before.group_id === null
      ? sql`null::bigint[]`
      : sql`(select array_agg(m.user_id) from group_members m where m.group_id = ${before.group_id})`
  await writing.tellLosers('posts', sql`t.id = ${after.id}`, sawIt)
}
