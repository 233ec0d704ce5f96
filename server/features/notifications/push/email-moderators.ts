/** Each case that has waited for an hour causes one email, which does not show its content. */
import { sql } from 'kysely'
import { defaultSummaryKinds } from '#contract/notifications/notification-delivery.ts'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../database/open-database.ts'
import type { EmailSender } from '../../../email/email-sender.ts'
import { renderLinkEmail } from '../../../email/message-templates.ts'
import { getConfiguredPublicUrl } from '../../../net/public-url.ts'
import { hasOpenAccount, whereMemberMayRead } from '../../../policy/index.ts'
import { whereCaseIsClaimed } from '../../moderation/case-states.ts'

const casesPerRound = 200

/**
 * If no moderator who may decide the case has a verified address and wants the email, the next run tries
 * again.
 */
export async function emailWaitingReports(
  { config, database, emails }: { config: Config; database: Database; emails: EmailSender },
  now = new Date(),
): Promise<number> {
  if (!emails.isAvailable()) return 0
  const { rows } = await sql<{ email: string }>`
    with waiting as materialized (
      select c.* from moderation_cases c
      where c.status = 'open' and c.desk = 'moderators' and c.emailed_at is null and not ${whereCaseIsClaimed('c')}
        and c.created_at <= ${now}::timestamptz - interval '1 hour'
      order by c.created_at limit ${casesPerRound} for update skip locked
    ), reached as (
      select c.id, a.email from waiting c cross join moderators mo
      join users u on u.id = mo.member_id join accounts a on a.id = u.account_id
      left join notification_delivery d on d.user_id = u.id
      where a.email is not null and a.email_verified and ${hasOpenAccount(sql.ref('u.id'))}
        and 'report' = any(coalesce(d.mail_kinds, ${[...defaultSummaryKinds]}::text[]))
        and ${whereMemberMayRead(sql<number>`mo.member_id`, 'moderation_cases', 'c')}
    ), marked as (
      update moderation_cases c set emailed_at = ${now}::timestamptz where c.id in (select id from reached)
    )
    select distinct email from reached`.execute(database.kysely)
  const link = `${getConfiguredPublicUrl(config)}/moderation`
  for (const { email } of rows) emails.send(email, renderLinkEmail('reports-waiting', link))
  return rows.length
}
