/**
 * Refuses callers who see the group but are not members. An unknown and a hidden group both give an empty list.
 */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '#server/database/schema.ts'
import { throwFailure } from '#server/errors.ts'
import { memberKeyParameter, whereMemberHasAbility, whereMemberMayRead } from '#server/policy/index.ts'
import type { ParsedQueries, QueryFilter } from '../queries/parse-queries.ts'
import type { DocumentCollection } from './field-definitions.ts'

export async function requireMembershipOfFilteredGroups(
  db: Kysely<DatabaseTables>,
  me: number,
  collection: DocumentCollection,
  { filters }: ParsedQueries,
): Promise<void> {
  if (collection.name !== 'posts') return
  const groups = filters.flatMap(filteredGroupIds)
  if (groups.length === 0) return
  const asMe = memberKeyParameter(me)
  const { rows } = await sql`
    select from groups g where g.public_id = any(${groups}::text[])
      and ${whereMemberMayRead(asMe, 'groups', 'g')} and not ${whereMemberHasAbility(asMe, 'readPosts', 'groups', 'g')} limit 1`.execute(
    db,
  )
  if (rows.length > 0) throwFailure('group_membership_required')
}

const filteredGroupIds = (filter: QueryFilter): readonly unknown[] =>
  !('filters' in filter) && filter.method === 'equal' && filter.attribute === 'groupId' ? filter.values : []
