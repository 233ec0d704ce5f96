/**
 * Members do not learn that they are listed. Members whom the caller cannot see are neither added nor shown.
 */
import { type Kysely, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import type { MemberListEntry } from '#contract/people/mutes-and-restrictions.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import type { Config } from '../../config.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { memberKeyParameter, whereMemberMayRead } from '../../policy/index.ts'
import { type ListedRow, toRowKeyPage } from '../../store/pagination.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from './person-summary.ts'

export type MuteOrRestrictionList = {
  table: 'mutes' | 'restrictions'
  owner: string
  listed: string
  pair: string
}

type MemberListRow = ListedRow & PersonSummaryRecord & { created_at: Date }
type Database = Kysely<DatabaseTables>

export async function isOnMuteOrRestrictionList(
  db: Database,
  me: AuthenticatedMember,
  list: MuteOrRestrictionList,
  personId: string,
): Promise<boolean> {
  const { rows } = await sql<{ listed: boolean }>`
    select exists (
      select from ${sql.table(list.table)} entry
      where ${sql.ref(`entry.${list.owner}`)} = ${me.id} and ${sql.ref(`entry.${list.listed}`)} = u.id
    ) as listed
    from users u
    where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}`.execute(
    db,
  )
  return (rows[0] ?? throwFailure('user_not_found')).listed
}

export async function addToMuteOrRestrictionList(
  db: Database,
  me: AuthenticatedMember,
  list: MuteOrRestrictionList,
  personId: string,
): Promise<void> {
  const { rows } = await sql`
    with person as (
      select u.id from users u
      where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
    ), added as (
      insert into ${sql.table(list.table)} (public_id, ${sql.ref(list.owner)}, ${sql.ref(list.listed)})
      select ${generateId()}, ${memberKeyParameter(me.id)}, person.id from person
      on conflict on constraint ${sql.ref(list.pair)} do nothing
    )
    select from person`.execute(db)
  if (rows.length === 0) throwFailure('user_not_found')
}

export async function removeFromMuteOrRestrictionList(
  db: Database,
  me: AuthenticatedMember,
  list: MuteOrRestrictionList,
  personId: string,
): Promise<void> {
  await sql`
    delete from ${sql.table(list.table)} entry
    where ${sql.ref(`entry.${list.owner}`)} = ${me.id} and ${sql.ref(`entry.${list.listed}`)} = (
      select u.id from users u
      where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
    )`.execute(db)
}

export async function readMuteOrRestrictionList(
  db: Database,
  me: AuthenticatedMember,
  config: Config,
  list: MuteOrRestrictionList,
  { cursor, limit = listPageSize }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ documents: MemberListEntry[]; next: string | null }> {
  const after = cursor === undefined ? null : await findEntry(db, me, list, cursor)
  const { rows } = await sql<MemberListRow>`
    select entry.id, entry.public_id, entry.created_at, ${personSummaryColumns}
    from ${sql.table(list.table)} entry ${joinPersonSummaryRow(sql`${sql.ref(`entry.${list.listed}`)}`)}
    where ${sql.ref(`entry.${list.owner}`)} = ${me.id}
      and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'person')}
      ${after ? sql`and (entry.created_at, entry.id) < (${after.created_at}, ${after.id})` : sql``}
    order by entry.created_at desc, entry.id desc limit ${limit}`.execute(db)
  const documents = rows.map((row) => ({
    $id: row.public_id,
    $createdAt: formatIsoTimestamp(row.created_at),
    person: toPersonSummary(config, row),
  }))
  return { documents, next: toRowKeyPage(rows, limit).next }
}

async function findEntry(db: Database, me: AuthenticatedMember, list: MuteOrRestrictionList, cursor: string) {
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select entry.id, entry.created_at from ${sql.table(list.table)} entry
    where entry.public_id = ${cursor} and ${sql.ref(`entry.${list.owner}`)} = ${me.id}`.execute(db)
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}
