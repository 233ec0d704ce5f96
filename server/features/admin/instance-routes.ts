/** Each node computes expensive sums at most once a minute. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin/instance.ts'
import type { AppContext } from '../../app-context.ts'
import { keepResult } from '../../concurrency/keep-result.ts'
import { formatIsoTimestamp, formatIsoTimestampOrNull } from '../../database/iso-timestamp.ts'
import { examineQuickly } from '../../doctor/doctor-checks.ts'
import { discardEmail, listUndeliveredEmails, retryEmail } from '../../email/email-queue.ts'
import { renderTestEmail } from '../../email/message-templates.ts'
import { throwFailure } from '../../errors.ts'
import { registerRoute } from '../../route.ts'
import { measureInstance, measureStorage, readQueues } from './instance-queries.ts'
import { maskEmailAddress } from './mask-email-address.ts'
import { recordOperatorAct } from './operator-acts.ts'

const keptMs = 60_000

export function registerInstanceRoutes(app: FastifyInstance, context: AppContext): void {
  const { config, database, images, instanceKey } = context
  const instance = keepResult(keptMs, () => measureInstance(context))
  const storage = keepResult(keptMs, () => measureStorage(database.kysely))
  const findings = keepResult(keptMs, () => examineQuickly(config, images))

  registerRoute(app, context, contract.getInstanceOverviewOperation, async () => {
    const { value, computedAt } = await instance()
    return { ...value, computedAt: formatIsoTimestamp(computedAt) }
  })

  registerRoute(app, context, contract.getInstanceStorageOperation, async () => {
    const { value, computedAt } = await storage()
    return { ...value, computedAt: formatIsoTimestamp(computedAt) }
  })

  registerRoute(app, context, contract.getInstanceQueuesOperation, async (_input, ctx) => {
    return readQueues(ctx)
  })

  registerRoute(app, context, contract.examineInstanceOperation, async () => {
    const { value, computedAt } = await findings()
    return { findings: value, computedAt: formatIsoTimestamp(computedAt) }
  })

  registerRoute(app, context, contract.listUndeliveredEmailsOperation, async (_input, ctx) => {
    const emails = await listUndeliveredEmails(database.kysely, instanceKey)
    return {
      documents: emails.map(
        ({ id, kind, to, created_at, failed_at, last_error, retriable, discardable }) => ({
          $id: String(id),
          kind,
          to: maskEmailAddress(to),
          createdAt: formatIsoTimestamp(created_at),
          failedAt: formatIsoTimestampOrNull(failed_at),
          error: last_error,
          retriable,
          discardable,
        }),
      ),
      mail: ctx.emails.isAvailable(),
    }
  })

  registerRoute(app, context, contract.retryEmailOperation, async ({ emailId }, ctx) => {
    const outcome = await retryEmail(database.kysely, emailId)
    if (outcome === 'missing') throwFailure('document_not_found')
    if (outcome === 'expired') throwFailure('email_expired')
    void ctx.emails.attempt()
  })

  registerRoute(app, context, contract.discardEmailOperation, async ({ emailId }, ctx) => {
    await ctx.store.transact(async ({ db }) => {
      const email = await discardEmail(db, emailId)
      if (email === 'missing') return throwFailure('document_not_found')
      if (email === 'protected') return throwFailure('email_protects_account')
      const { kind, about } = email
      await recordOperatorAct(db, 'email.discard', { by: { member: ctx.me.id }, about, detail: { kind } })
    })
  })

  registerRoute(app, context, contract.sendTestEmailOperation, async (_input, ctx) => {
    const account = await database.kysely
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', ctx.caller.account.id)
      .executeTakeFirstOrThrow()
    const to = account.email ?? throwFailure('user_email_not_found')
    return { to, ...(await ctx.emails.sendNow(to, renderTestEmail())) }
  })
}
