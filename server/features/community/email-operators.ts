/** The daily email only links to the applications. */
import { sql } from 'kysely'
import { defaultSummaryKinds } from '#contract/notifications/notification-delivery.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/open-database.ts'
import type { EmailSender } from '../../email/email-sender.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { getConfiguredPublicUrl } from '../../net/public-url.ts'
import { hasOpenAccount, whereMemberHasAbility } from '../../policy/index.ts'

/**
 * Emails operators once an application has waited for an hour. Only operators with a verified address who
 * want the email receive it.
 * If there is no such operator, the next run tries again.
 */
export async function emailWaitingApplications(
  { config, database, emails }: { config: Config; database: Database; emails: EmailSender },
  now = new Date(),
): Promise<number> {
  if (!emails.isAvailable()) return 0
  await sql`
    insert into community (only_row) select true where exists (select from applications where state = 'waiting')
    on conflict do nothing`.execute(database.kysely)
  const { rows } = await sql<{ email: string }>`
    with due as materialized (
      select from community
      where applications_emailed_at is null or applications_emailed_at <= ${now}::timestamptz - interval '24 hours'
      for update skip locked
    ), waiting as materialized (
      select p.id from applications p
      where exists (select from due) and p.state = 'waiting' and p.emailed_at is null and exists (
        select from applications o where o.state = 'waiting' and o.emailed_at is null
          and o.created_at <= ${now}::timestamptz - interval '1 hour')
    ), reached as materialized (
      select a.email from users u join accounts a on a.id = u.account_id
      left join notification_delivery d on d.user_id = u.id
      where exists (select from waiting) and a.email is not null and a.email_verified
        and ${hasOpenAccount(sql.ref('u.id'))}
        and 'application' = any(coalesce(d.mail_kinds, ${[...defaultSummaryKinds]}::text[]))
        and ${whereMemberHasAbility(sql<number>`u.id`, 'operateCommunity', 'users', 'u')}
    ), noted as (
      update community set applications_emailed_at = ${now}::timestamptz where exists (select from reached)
    ), marked as (
      update applications set emailed_at = ${now}::timestamptz
      where id in (select id from waiting) and exists (select from reached)
    )
    select email from reached`.execute(database.kysely)
  const link = `${getConfiguredPublicUrl(config)}/admin/applications`
  for (const { email } of rows) emails.send(email, renderLinkEmail('applications-waiting', link))
  return rows.length
}
