/** Serves mutes: making and ending one, and the caller's list of them. What they leave out is in the lists. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  getMuteOperation,
  listMutedMembersOperation,
  muteMemberOperation,
  unmuteMemberOperation,
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
import { whereNotMuted } from '../views/mute-filter.ts'
import {
  joinPersonSummaryRow,
  type PersonSummaryRecord,
  personSummaryColumns,
  toPersonSummary,
} from '../views/person-summary.ts'

type MuteRow = ListedRow & PersonSummaryRecord & { created_at: Date }

export function registerMuteRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getMuteOperation, async ({ personId }, { me, database }) => {
    const { rows } = await sql<{ muted: boolean }>`
      select not ${whereNotMuted(me.id, sql.ref('u.id'))} as muted from users u
      where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}`.execute(
      database.kysely,
    )
    return rows[0] ?? throwFailure('user_not_found')
  })

  registerRoute(app, context, muteMemberOperation, async ({ personId }, { me, store }) => {
    if (personId === me.publicId) throwFailure('mute_self_not_allowed')
    await store.autocommit(async ({ db }) => {
      const { rows } = await sql`
        with person as (
          select u.id from users u
          where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
        ), made as (
          insert into mutes (public_id, muter_id, muted_id) select ${generateId()}, ${memberKeyParameter(me.id)}, person.id from person
          on conflict on constraint mutes_pair do nothing
        )
        select from person`.execute(db)
      if (rows.length === 0) throwFailure('user_not_found')
    })
    return { muted: true as const }
  })

  registerRoute(app, context, unmuteMemberOperation, async ({ personId }, { me, store }) => {
    await store.autocommit(({ db }) =>
      sql`
        delete from mutes mu where mu.muter_id = ${me.id} and mu.muted_id = (
          select u.id from users u
          where u.public_id = ${personId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'u')}
        )`.execute(db),
    )
    return { muted: false as const }
  })

  registerRoute(
    app,
    context,
    listMutedMembersOperation,
    async ({ cursor, limit = listPageSize }, { me, database, config }) => {
      const db = database.kysely
      const after = cursor === undefined ? null : await positionOf(db, me, cursor)
      const { rows } = await sql<MuteRow>`
        select mu.id, mu.public_id, mu.created_at, ${personSummaryColumns}
        from mutes mu ${joinPersonSummaryRow(sql`mu.muted_id`)}
        where mu.muter_id = ${me.id} and ${whereMemberMayRead(memberKeyParameter(me.id), 'users', 'person')}
          ${after ? sql`and (mu.created_at, mu.id) < (${after.created_at}, ${after.id})` : sql``}
        order by mu.created_at desc, mu.id desc limit ${limit}`.execute(db)
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
    select mu.id, mu.created_at from mutes mu where mu.public_id = ${cursor} and mu.muter_id = ${me.id}`.execute(
    db,
  )
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}
