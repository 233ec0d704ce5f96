import type { MemberClient } from '#api-client/member-client.ts'
import type { Database } from '#server/database/open-database.ts'

/**
 * @returns sorted lines `kind collection → recipients`: names, `group`, or `everyone`. Notifications are omitted,
 * because they are written later.
 */
export async function describeRecordedChanges(
  { pool }: Database,
  people: readonly MemberClient[],
  work: () => Promise<unknown>,
): Promise<string[]> {
  const before = await pool.query('select coalesce(max(id), 0) as id from changes')
  await work()
  const { rows } = await pool.query<{
    kind: string
    collection: string
    ids: string[]
    group_id: number | null
  }>(
    `select c.kind, c.collection, c.group_id,
       array(select u.public_id::text from users u where u.id = any (c.member_ids)) as ids
     from changes c where c.id > $1 and c.collection <> all ('{notifications,reports,moderationCases}')
     order by c.collection, c.row_id, c.kind`,
    [before.rows[0].id],
  )
  const names = new Map(people.map((person) => [person.id, person.name]))
  return rows.map(({ kind, collection, ids, group_id }) => {
    const audience = ids.map((id) => names.get(id) ?? id).sort()
    if (group_id !== null) audience.push('group')
    return `${kind} ${collection} → ${audience.join(', ') || 'everyone'}`
  })
}
