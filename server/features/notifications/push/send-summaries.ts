/**
 * Digests contain names and counts, but no texts, photos or messages.
 * A node that is killed loses at most one email.
 */
import { sql } from 'kysely'
import { defaultSummaryKinds, type SummaryKind } from '#contract/notifications/notification-delivery.ts'
import type { InstanceKey } from '../../../auth/instance-key.ts'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../database/open-database.ts'
import type { EmailSender } from '../../../email/email-sender.ts'
import type { ServerLogger } from '../../../log.ts'
import { getConfiguredPublicUrl } from '../../../net/public-url.ts'
import { hasOpenAccount } from '../../../policy/index.ts'
import { listUnseenNotifications } from '../notification-queries.ts'
import { computeNextSummaryTime } from './delivery-preference-routes.ts'
import { renderSummaryEmail } from './summary-email.ts'
import { createUnsubscribeSecret } from './summary-unsubscribe-secret.ts'

export type SummaryContext = {
  config: Config
  database: Database
  log: ServerLogger
  emails: EmailSender
  instanceKey: InstanceKey
}

const summariesPerRound = 200
const maxLines = 20

type DueSummary = {
  member: number
  public_id: string
  email: string | null
  mail_kinds: SummaryKind[] | null
  summarized_seq: number
}

export async function sendDueSummaries(ctx: SummaryContext, now = new Date()): Promise<number> {
  const { database, emails, log } = ctx
  if (!emails.isAvailable()) return 0
  const at = sql`${now}::timestamptz`
  const { rows } = await sql<DueSummary>`
    with due as materialized (
      select user_id from notification_delivery where summary_due_at <= ${at}
      order by summary_due_at limit ${summariesPerRound} for update skip locked
    )
    update notification_delivery d set summary_due_at = ${computeNextSummaryTime(at, sql`d.time_zone`, sql`d.summary`)}
    from due join users u on u.id = due.user_id join accounts a on a.id = u.account_id
    where d.user_id = due.user_id
    returning u.id as member, u.public_id, d.mail_kinds, d.summarized_seq,
      case when a.email_verified and ${hasOpenAccount(sql.ref('u.id'))} then a.email end as email`.execute(
    database.kysely,
  )
  for (const due of rows) {
    await sendSummary(ctx, due).catch((error: unknown) => log.warn({ err: error }, 'a summary was not sent'))
  }
  return rows.length
}

async function sendSummary(
  { config, database, emails, instanceKey }: SummaryContext,
  { member, public_id, email, mail_kinds, summarized_seq }: DueSummary,
): Promise<void> {
  if (email === null) return
  const unseen = await listUnseenNotifications(database.kysely, config, member, {
    kinds: mail_kinds ?? defaultSummaryKinds,
    after: summarized_seq,
    limit: maxLines,
  })
  const [newest] = unseen
  if (!newest) return
  const base = getConfiguredPublicUrl(config)
  const secret = await createUnsubscribeSecret(instanceKey, public_id)
  await database.kysely
    .updateTable('notification_delivery')
    .set({ summarized_seq: newest.seq })
    .where('user_id', '=', member)
    .execute()
  emails.send(
    email,
    renderSummaryEmail(unseen, {
      notifications: `${base}/notifications`,
      unsubscribe: `${base}/unsubscribe/${secret}`,
      oneClick: `${base}/v1/summaries/${secret}/end`,
    }),
  )
}
