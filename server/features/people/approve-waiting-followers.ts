/** This job also runs periodically, for requests that a lock or a shutdown left over. */
import { sql } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import { type RepeatingJob, startRepeatingJob } from '../../concurrency/repeating-job.ts'
import {
  hasOpenAccount,
  isPrivateAccount,
  memberKeyParameter,
  whereAccessRuleAllows,
} from '../../policy/index.ts'
import { approveFollowRequest } from './follow-request-routes.ts'

const intervalMs = 5 * 60_000
const batchSize = 100

type ApprovalContext = Pick<AppContext, 'store' | 'database' | 'log'>

/**
 * One transaction per request, because the pair must be locked before the accounts.
 * Each checks that the account is still public. A request that fails is left for the next run.
 * @param options.asked a single account's key; by default all
 */
export async function approveWaitingFollowers(
  { store, database, log }: ApprovalContext,
  { asked, signal }: { asked?: number; signal?: AbortSignal } = {},
): Promise<void> {
  for (let after = 0, found = batchSize; found === batchSize; ) {
    const { rows } = await sql<{ id: number; public_id: string; asked_id: number }>`
      select r.id, r.public_id, r.asked_id from follow_requests r
      where r.status = 'pending' and r.id > ${after} and not ${isPrivateAccount(sql.ref('r.asked_id'))}
        ${asked === undefined ? sql`` : sql`and r.asked_id = ${asked}`}
        and ${whereAccessRuleAllows(memberKeyParameter(sql.ref('r.asked_id')), 'update', 'follow_requests', 'r')}
        and ${hasOpenAccount(sql.ref('r.asked_id'))}
      order by r.id limit ${batchSize}`.execute(database.kysely)
    for (const { id, public_id, asked_id } of rows) {
      if (signal?.aborted) return
      await approveFollowRequest(store, { id: asked_id }, public_id, { onlyWhilePublic: true }).catch(
        (error: unknown) => log.warn({ err: error }, 'a waiting follow request could not be approved'),
      )
      after = id
    }
    found = rows.length
  }
}

export const startFollowerApprovalWorker = (ctx: ApprovalContext): RepeatingJob =>
  startRepeatingJob({
    intervalMs,
    work: (signal) => approveWaitingFollowers(ctx, { signal }),
    onError: (error) => ctx.log.warn({ err: error }, 'approving waiting followers was interrupted'),
  })
