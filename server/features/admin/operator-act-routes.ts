/** Operators see all details. Members see only the action and its day. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  listOperatorActsOperation,
  listPublicOperatorActsOperation,
  type OperatorActDetail,
  type OperatorActEntry,
} from '#contract/admin/operator-acts.ts'
import { listPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { registerRoute } from '../../route.ts'
import { toRowKeyPage } from '../../store/pagination.ts'

export function registerOperatorActRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listOperatorActsOperation,
    async (
      { cursor, limit = listPageSize },
      ctx,
    ): Promise<{ documents: OperatorActEntry[]; next: string | null }> => {
      const db = ctx.database.kysely
      const { rows } = await sql<{
        id: number
        public_id: string
        act: string
        created_at: Date
        run_by: string | null
        by: OperatorActEntry['by']
        about: OperatorActEntry['about']
        detail: OperatorActDetail
      }>`
        select o.id, o.public_id, o.act, o.created_at, o.run_by, o.detail,
          ${personOf(sql`o.operator_id`)} as by, ${personOf(sql`o.about_id`)} as about
        from operator_acts o where ${await isAfterCursor(db, cursor)}
          and not (${isProposal} and o.about_id is not distinct from ${ctx.me.id}) order by o.id desc limit ${limit}`.execute(
        db,
      )
      return {
        documents: rows.map(({ public_id, act, created_at, run_by, by, about, detail }) => ({
          $id: public_id,
          at: formatIsoTimestamp(created_at),
          act,
          by,
          systemUser: run_by,
          about,
          detail,
        })),
        next: toRowKeyPage(rows, limit).next,
      }
    },
  )

  registerRoute(
    app,
    context,
    listPublicOperatorActsOperation,
    async ({ cursor, limit = listPageSize }, { database: { kysely: db } }) => {
      const { rows } = await sql<{ id: number; public_id: string; act: string; day: string }>`
        select o.id, o.public_id, o.act, to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
        from operator_acts o where ${await isAfterCursor(db, cursor)} and not ${isProposal} order by o.id desc limit ${limit}`.execute(
        db,
      )
      return {
        documents: rows.map(({ public_id, act, day }) => ({ $id: public_id, act, day })),
        next: toRowKeyPage(rows, limit).next,
      }
    },
  )
}

/**
 * No member sees proposals of suspensions. If only the affected member did not see them, that member would
 * learn of the proposal.
 */
const isProposal = sql`(o.act in ('suspension.propose', 'suspension.decline'))`

/** A deleted account's profile is empty, so its name is not shown. */
const personOf = (key: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('$id', u.public_id, 'name', u.name, 'username', u.username)
  from users u join accounts a on a.id = u.account_id where u.id = ${key} and a.erased_at is null)`

async function isAfterCursor(db: Kysely<DatabaseTables>, cursor: string | undefined) {
  if (cursor === undefined) return sql`true`
  const row = await db
    .selectFrom('operator_acts')
    .select('id')
    .where('public_id', '=', cursor)
    .executeTakeFirst()
  if (!row) return throwFailure('general_cursor_not_found', { field: 'cursor' })
  return sql`o.id < ${row.id}`
}
