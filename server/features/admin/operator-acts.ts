/** The database refuses changes to these records. */
import { userInfo } from 'node:os'
import type { Kysely } from 'kysely'
import type { OperatorAct, OperatorActDetail } from '#contract/admin/operator-acts.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { generateId } from '../../ids.ts'

/** A member's key in the app, or the system user who runs a command. */
export type ActingOperator = { member: number } | { systemUser: string }

export const getCommandOperator = (): ActingOperator => ({ systemUser: userInfo().username.slice(0, 64) })

/**
 * @param entry.about the key of the member concerned
 * @param entry.detail what changed, without secrets
 */
export async function recordOperatorAct(
  db: Kysely<DatabaseTables>,
  act: OperatorAct,
  {
    by,
    about = null,
    detail = {},
  }: { by: ActingOperator; about?: number | null; detail?: OperatorActDetail },
): Promise<void> {
  await db
    .insertInto('operator_acts')
    .values({
      public_id: generateId(),
      act,
      operator_id: 'member' in by ? by.member : null,
      run_by: 'systemUser' in by ? by.systemUser : null,
      about_id: about,
      detail: JSON.stringify(detail),
    })
    .execute()
}
