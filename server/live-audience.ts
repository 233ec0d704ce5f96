/**
 * Who may hear of a change, asked of the database at the moment of delivery: one statement for a change and those that
 * follow it, however many sockets (architecture §14.4; security reference §2.8). It looks at the sessions in the same breath, so a session that
 * has ended hears nothing more.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { collections } from './collections.ts'
import type { Tables } from './database/schema.ts'
import { unseen } from './database/statements.ts'
import { type Change, isOfDocument } from './live-changes.ts'
import type { Listener } from './live-listeners.ts'
import { may } from './policy.ts'
import { alive } from './session.ts'

export type Verdict = 'hears' | 'stays silent' | 'session over' | 'blocked'

type Judged = { session: number; ended: boolean; blocked: boolean; hears: boolean[] }

/**
 * @param changes of none, only the sessions are asked about
 * @returns the verdict on a listener and the change at an index
 */
export async function judge(
  db: Kysely<Tables>,
  changes: readonly Change[],
  listeners: readonly Listener[],
): Promise<(listener: Listener, index?: number) => Verdict> {
  const accounts = new Map(listeners.map(({ session, account }) => [session, account]))
  const { rows } = await sql<Judged>`
    select listening.session, s.id is null as ended, coalesce(a.status <> 'active', false) as blocked,
      array[${sql.join(changes.map(mayHear))}]::boolean[] as hears
    from unnest(${unseen([...accounts.keys()])}, ${unseen([...accounts.values()])}) as listening (session, account)
    left join accounts a on a.id = listening.account
    left join sessions s on s.id = listening.session and s.account_id = a.id and ${alive('s')}
    left join users listener on listener.account_id = a.id`.execute(db)
  const bySession = new Map(rows.map((row) => [row.session, row]))
  return ({ session }, index = 0) => {
    const row = bySession.get(session)
    if (row?.blocked) return 'blocked'
    if (!row || row.ended) return 'session over'
    return row.hears[index] ? 'hears' : 'stays silent'
  }
}

/**
 * The rule of reading; for what is gone, whoever could read it: those it was recorded for, and of a group those who were
 * in it by then (security reference R10). A row that is still there was deleted for those alone who lost sight of it
 * (architecture §14.5).
 */
function mayHear(change: Change): RawBuilder<boolean> {
  if (!isOfDocument(change)) return sql`true`
  const { table } = collections[change.collection]
  const reads = sql<boolean>`exists (select from ${sql.table(table)} as subject
    where subject.id = ${change.rowId} and ${may(sql<number>`listener.id`, 'read', table, 'subject')})`
  if (change.kind !== 'delete') return reads
  const recorded =
    change.memberIds === null && change.groupId === null
      ? sql`listener.id is not null`
      : sql`(listener.id = any(${change.memberIds ?? []}::bigint[]) or exists (select from group_members m
          where m.group_id = ${change.groupId}::bigint and m.user_id = listener.id and m.created_at <= ${change.at}))`
  return sql<boolean>`(${recorded} and not ${reads})`
}
