/** Serves restrictions: making and ending one, and the caller's list of them. What they keep unnoticed is the policy's. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  getRestrictionOperation,
  listRestrictedMembersOperation,
  restrictMemberOperation,
  unrestrictMemberOperation,
} from '#contract/mutes.ts'
import type { AppContext } from '../app-context.ts'
import type { AuthenticatedMember } from '../auth/session.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { type ListedRow, toRowKeyPage } from '../pagination.ts'
import { memberKeyParameter, whereMemberMayRead } from '../policy.ts'
import { registerRoute } from '../route.ts'
import { formatIsoTimestamp } from '../views/iso-timestamp.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../views/person-summary.ts'

type RestrictionRow = ListedRow & PersonSummaryRecord & { created_at: Date }

export function registerRestrictionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getRestrictionOperation, async ({ personId }, { me, database }) => {
    const { rows } = await sql<{ restricted: boolean }>`
      select exists (
        select from restrictions r where r.restricter_id = ${me.id} and r.restricted_id = u.id
      ) as restricted
      from users u
      where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}`.execute(
      database.kysely,
    )
    return rows[0] ?? throwFailure('user_not_found')
  })

  registerRoute(app, context, restrictMemberOperation, async ({ personId }, { me, store }) => {
    if (personId === me.publicId) throwFailure('restrict_self_not_allowed')
    await store.autocommit(async ({ db }) => {
      const { rows } = await sql`
        with person as (
          select u.id from users u
          where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
        ), made as (
          insert into restrictions (public_id, restricter_id, restricted_id)
          select ${generateId()}, ${memberKeyParameter(me.id)}, person.id from person
          on conflict on constraint restrictions_pair do nothing
        )
        select from person`.execute(db)
      if (rows.length === 0) throwFailure('user_not_found')
    })
    return { restricted: true as const }
  })

  registerRoute(app, context, unrestrictMemberOperation, async ({ personId }, { me, store }) => {
    await store.autocommit(({ db }) =>
      sql`
        delete from restrictions r where r.restricter_id = ${me.id} and r.restricted_id = (
          select u.id from users u
          where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
        )`.execute(db),
    )
    return { restricted: false as const }
  })

  registerRoute(
    app,
    context,
    listRestrictedMembersOperation,
    async ({ cursor, limit = listPageSize }, { me, database, config }) => {
      const db = database.kysely
      const after = cursor === undefined ? null : await positionOf(db, me, cursor)
      const { rows } = await sql<RestrictionRow>`
        select r.id, r.public_id, r.created_at, ${personSummaryColumns}
        from restrictions r ${joinPersonSummaryRow(sql`r.restricted_id`)}
        where r.restricter_id = ${me.id} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'person')}
          ${after ? sql`and (r.created_at, r.id) < (${after.created_at}, ${after.id})` : sql``}
        order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
      const documents = rows.map((row) => ({
        $id: row.public_id,
        $createdAt: formatIsoTimestamp(row.created_at),
        person: toPersonSummary(config, row),
      }))
      return { documents, next: toRowKeyPage(rows, limit).next }
    },
  )
}

/** Finds the place of a cursor among the caller's own. @throws Failure general_cursor_not_found */
async function positionOf(db: Kysely<DatabaseTables>, me: AuthenticatedMember, cursor: string) {
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select r.id, r.created_at from restrictions r where r.public_id = ${cursor} and r.restricter_id = ${me.id}`.execute(
    db,
  )
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}
