/** Reading and changing the caller's own account row; every change is told in her log. */
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { ErrorType } from '#contract/errors.ts'
import { noteEvent } from '../account-record.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import type { AccountRow } from '../proven-address.ts'
import type { Caller } from '../session.ts'

export const databaseNow = sql<Date>`clock_timestamp()`

export type Change = {
  email?: string
  email_verified?: boolean
  phone?: string
  phone_verified?: boolean
  name?: string
  password_hash?: string
  password_updated_at?: typeof databaseNow
  prefs?: string
  status?: 'blocked'
}

export const accountRow = (db: Kysely<Tables>, caller: Caller): Promise<AccountRow> =>
  db.selectFrom('accounts').selectAll().where('id', '=', caller.account.id).executeTakeFirstOrThrow()

/**
 * @param checked the row whose password was just checked: one that changed meanwhile was checked in vain
 * @param taken what a unique constraint is called here
 * @throws Failure `taken`; 401 `user_invalid_credentials`
 */
export async function changeAccount(
  db: Kysely<Tables>,
  request: FastifyRequest,
  caller: Caller,
  change: Change,
  { checked, taken }: { checked?: AccountRow; taken?: ErrorType } = {},
): Promise<AccountRow> {
  const account = await db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', caller.account.id)
    .$if(checked !== undefined, (query) =>
      query.where('password_hash', 'is not distinct from', checked?.password_hash ?? null),
    )
    .returningAll()
    .executeTakeFirst()
    .catch((error: { code?: string }) => {
      if (taken && error.code === '23505') return fail(taken, { cause: error })
      throw error
    })
  if (!account) return fail('user_invalid_credentials')
  await noteEvent(db, request, caller.account.id, 'user.update')
  return account
}
