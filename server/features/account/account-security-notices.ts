import { type Kysely, sql, type Transaction } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import { type AccountEvent, recordAccountEvent } from '../../auth/account-audit-log.ts'
import { describeUserAgent } from '../../auth/describe-user-agent.ts'
import { lockAccountRow } from '../../auth/lock-account-row.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderLinkEmail, renderNewDeviceEmail } from '../../email/message-templates.ts'
import type { AccountNoticeKind } from '../../email/message-text-types.ts'
import { consumeNoticeLimit, consumeUnverifiedAddressLimit } from '../../http/account-notice-limits.ts'
import { getConfiguredPublicUrl, getPublicUrlForRequest } from '../../net/public-url.ts'
import type { RequestContext } from '../../route.ts'
import type { AccountRow, VerifiedAccount } from './give-account-to-verified-owner.ts'

/**
 * Emails about new devices have their own limit, so that someone with the password cannot use up the other
 * notices.
 */
export async function sendNewDeviceEmail(
  ctx: Pick<RequestContext, 'request'> & AppContext,
  { email, email_verified }: AccountRow,
  session: { ip: string | null; user_agent: string },
): Promise<void> {
  const { request, emails, countries } = ctx
  if (email === null) return
  if (!(await consumeNoticeLimit(ctx, 'new-device-email', { email, email_verified }, request))) return
  emails.send(
    email,
    renderNewDeviceEmail(`${getPublicUrlForRequest(request, ctx)}/settings/security/devices`, {
      ...describeUserAgent(session.user_agent),
      country: await countries.find(session.ip),
    }),
  )
}

/** Sends no email if the account has no address or has received many notices today. */
export async function sendAccountNoticeEmail(
  ctx: Pick<RequestContext, 'request'> & AppContext,
  { email, email_verified }: AccountRow,
  kind: AccountNoticeKind,
): Promise<void> {
  const { request, emails } = ctx
  if (email === null || !(await consumeNoticeLimit(ctx, 'notice', { email, email_verified }, request))) return
  emails.send(email, renderLinkEmail(kind, `${getPublicUrlForRequest(request, ctx)}/`))
}

/** Says what ended when the new verified owner received the account. */
export async function sendNoticesOfGivenAccount(
  ctx: Pick<RequestContext, 'request'> & AppContext,
  account: VerifiedAccount,
): Promise<void> {
  if (account.endedByGiving?.twoSteps) await sendAccountNoticeEmail(ctx, account, 'two-steps-off')
  if (account.endedByGiving?.passkeys) await sendAccountNoticeEmail(ctx, account, 'passkey-removed')
}

const knownPasswordEvent: AccountEvent = 'session.refused'

async function recordKnownPassword(
  db: Transaction<DatabaseTables>,
  { request, caller }: Pick<RequestContext, 'request' | 'caller'>,
): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', caller.session.id)
    .where('provider', '=', 'email')
    .where('from_known_browser', '=', false)
    .executeTakeFirst()
  if (!session || !(await isFirstToday(db, caller.account.id))) return false
  await recordAccountEvent(db, request, caller.account.id, knownPasswordEvent)
  return true
}

/** The lock ensures that only one of two concurrent requests is the first. */
async function isFirstToday(db: Transaction<DatabaseTables>, accountId: number): Promise<boolean> {
  await lockAccountRow(db, accountId)
  const { rows } = await sql`
    select from account_events where account_id = ${accountId} and event = ${knownPasswordEvent}
      and created_at > clock_timestamp() - interval '24 hours' limit 1`.execute(db)
  return rows.length === 0
}

/** Emails the owner, once a day, that someone with the password failed or skipped the second factor. */
export async function notifyOwnerOfKnownPassword(ctx: RequestContext): Promise<void> {
  const { request, caller, store, database, emails } = ctx
  if (!(await store.transact(({ db }) => recordKnownPassword(db, ctx)))) return
  const { email, email_verified } = await database.kysely
    .selectFrom('accounts')
    .select(['email', 'email_verified'])
    .where('id', '=', caller.account.id)
    .executeTakeFirstOrThrow()
  if (email === null) return
  if (!(await consumeUnverifiedAddressLimit(ctx, { email, email_verified }, request))) return
  emails.send(email, renderLinkEmail('password-known', `${getPublicUrlForRequest(request, ctx)}/`))
}

export async function endOverduePendingSessions(
  ctx: Pick<AppContext, 'database' | 'emails' | 'config' | 'limits' | 'log'>,
): Promise<void> {
  const owners = await deleteOverdueSessions(ctx.database.kysely)
  const link = `${getConfiguredPublicUrl(ctx.config)}/`
  for (const owner of owners) {
    if (await consumeUnverifiedAddressLimit(ctx, owner, null))
      ctx.emails.send(owner.email, renderLinkEmail('password-known', link))
  }
}

async function deleteOverdueSessions(
  db: Kysely<DatabaseTables>,
): Promise<{ email: string; email_verified: boolean }[]> {
  const { rows } = await sql<{ email: string; email_verified: boolean }>`
      with over as (
        delete from sessions where id in (
          select id from sessions where pending_until < clock_timestamp() order by id for update skip locked limit 500)
        returning account_id, provider, from_known_browser, user_agent
      ), known as (
        select distinct on (o.account_id) o.account_id, o.user_agent from over o
        where o.provider = 'email' and not o.from_known_browser
      ), noted as (
        insert into account_events (account_id, event, user_agent)
        select k.account_id, ${knownPasswordEvent}, k.user_agent from known k
        where not exists (select from account_events e where e.account_id = k.account_id and e.event = ${knownPasswordEvent}
          and e.created_at > clock_timestamp() - interval '24 hours')
        returning account_id
      )
      select a.email, a.email_verified from noted n join accounts a on a.id = n.account_id where a.email is not null`.execute(
    db,
  )
  return rows
}
