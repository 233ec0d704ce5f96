import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import { type AccountEvent, recordAccountEvent } from '../../auth/account-audit-log.ts'
import { lockCallersAccount, type RequestCaller } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import type { AccountRow } from './give-account-to-verified-owner.ts'

export const databaseNowSql = sql<Date>`clock_timestamp()`

export type AccountUpdate = {
  email?: string
  email_verified?: boolean
  phone?: string
  phone_verified?: boolean
  name?: string
  password_hash?: string
  password_updated_at?: typeof databaseNowSql
  prefs?: string
  status?: 'blocked'
  reopens_on_sign_in?: boolean
}

export const selectCallerAccount = (db: Kysely<DatabaseTables>, caller: RequestCaller): Promise<AccountRow> =>
  db.selectFrom('accounts').selectAll().where('id', '=', caller.account.id).executeTakeFirstOrThrow()

/**
 * @param checked the row whose password was just verified; if its password or address changed meanwhile,
 * nothing is written
 * @param taken the error for a violated unique constraint
 * @param event the event's name in the account log
 * @throws Failure `taken`; 401 `user_invalid_credentials`, or `general_unauthorized_scope` if the session
 * ended meanwhile
 */
export async function updateCallerAccount(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  caller: RequestCaller,
  change: AccountUpdate,
  {
    checked,
    taken,
    event = 'user.update',
  }: { checked?: AccountRow; taken?: ErrorType; event?: AccountEvent } = {},
): Promise<AccountRow> {
  await lockCallersAccount(db, caller)
  const account = await db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', caller.account.id)
    .$if(checked !== undefined, (query) =>
      query
        .where('password_hash', 'is not distinct from', checked?.password_hash ?? null)
        .where('email', 'is not distinct from', checked?.email ?? null)
        .where('email_verified', '=', checked?.email_verified ?? false),
    )
    .returningAll()
    .executeTakeFirst()
    .catch((error: { code?: string }) => {
      if (taken && error.code === '23505') return throwFailure(taken, { cause: error })
      throw error
    })
  if (!account) return throwFailure('user_invalid_credentials')
  await recordAccountEvent(db, request, caller.account.id, event)
  return account
}
