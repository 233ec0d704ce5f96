import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/deletion/deletion.ts'
import type { AppContext } from '../../app-context.ts'
import { clearSessionCookie } from '../../auth/session-cookie.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { throwFailure } from '../../errors.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { listDeletionReceiptJwks, verifyDeletionReceipt } from './deletion-receipt.ts'
import {
  beginErasureNow,
  cancelDeletion,
  findCallersDeletion,
  listRequiredDeletionProofs,
  previewDeletion,
  requestDeletion,
  verifyDeletionProofs,
} from './deletion-requests.ts'

export function registerAccountDeletionRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, contract.getDeletionPlanOperation, async (_input, ctx) => previewDeletion(ctx))

  registerRoute(app, context, contract.requestDeletionOperation, async (given, ctx) => {
    const asked = await requestDeletion(ctx, given, await verifyDeletionProofs(ctx, given))
    endCallersSession(ctx)
    if (ctx.config.deletionGraceDays === 0) ctx.erasing.wake()
    return asked
  })

  registerRoute(app, context, contract.getDeletionOperation, async (_input, ctx) => {
    const found = await findCallersDeletion(ctx)
    const { member } = ctx.caller
    return {
      name: member?.name ?? '',
      username: member?.username ?? '',
      askedAt: formatIsoTimestamp(found.asked_at),
      eraseAfter: formatIsoTimestamp(found.erase_after),
      ...(await listRequiredDeletionProofs(ctx)),
    }
  })

  registerRoute(app, context, contract.keepAccountOperation, async (_input, ctx) => {
    await cancelDeletion(ctx, { account: ctx.caller.account.id })
    ctx.live.notify([])
  })

  registerRoute(app, context, contract.keepAccountByEmailLinkOperation, async ({ secret }, ctx) => {
    await cancelDeletion(ctx, { secret })
    ctx.live.notify([])
  })

  registerRoute(app, context, contract.eraseNowOperation, async (given, ctx) => {
    await findCallersDeletion(ctx)
    await verifyDeletionProofs(ctx, given)
    const begun = await beginErasureNow(ctx)
    endCallersSession(ctx)
    ctx.erasing.wake()
    return begun
  })

  registerRoute(
    app,
    context,
    contract.getReceiptOperation,
    async ({ receiptId }, { database, instanceKey }) => {
      const found = await database.kysely
        .selectFrom('deletions')
        .select(['state', 'erase_after', 'receipt'])
        .where('public_id', '=', receiptId)
        .executeTakeFirst()
      if (!found) return throwFailure('receipt_not_found')
      const opened = found.receipt === null ? null : await verifyDeletionReceipt(instanceKey, found.receipt)
      return {
        state: found.state,
        eraseAfter: formatIsoTimestamp(found.erase_after),
        receipt: opened && {
          counts: opened.receipt.counts,
          erasedAt: opened.receipt.erasedAt,
          goneFromBackupsAt: opened.receipt.goneFromBackupsAt,
          signed: found.receipt as string,
          key: opened.kid.slice(0, 8),
        },
      }
    },
  )

  registerRoute(app, context, contract.checkReceiptOperation, async ({ signed }, { instanceKey }) => ({
    valid: (await verifyDeletionReceipt(instanceKey, signed)) !== null,
  }))

  registerRoute(app, context, contract.getReceiptKeysOperation, async (_input, { instanceKey }) => ({
    keys: await listDeletionReceiptJwks(instanceKey),
  }))
}

/** The sessions have already ended. */
function endCallersSession({ request, reply, config, live }: RequestContext): void {
  clearSessionCookie(reply, config, request.foreignOrigin)
  live.notify([])
}
