/** The one list that refuses: the posts of a group she is not in (spec §5; authorization row PG1). */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import type { DocumentCollection } from './document-fields.ts'
import type { Asked, Filter } from './queries.ts'

/** @throws Failure group_membership_required */
export async function refuseForeignGroups(
  db: Kysely<Tables>,
  me: number,
  collection: DocumentCollection,
  { filters }: Asked,
): Promise<void> {
  if (collection.name !== 'posts') return
  const groups = filters.flatMap(namedGroups)
  if (groups.length === 0) return
  const { rows } = await sql`
    select from groups g where g.public_id = any(${groups}::text[])
      and not exists (select from group_members m where m.group_id = g.id and m.user_id = ${me}) limit 1`.execute(
    db,
  )
  if (rows.length > 0) fail('group_membership_required')
}

const namedGroups = (filter: Filter): readonly unknown[] =>
  !('filters' in filter) && filter.method === 'equal' && filter.attribute === 'groupId' ? filter.values : []
