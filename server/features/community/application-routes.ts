import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  type Application,
  answerVouchRequestOperation,
  applyOperation,
  approveApplicationOperation,
  confirmApplicationOperation,
  declineApplicationOperation,
  listApplicationsOperation,
  listVouchRequestsOperation,
  removeApplicationByEmailLinkOperation,
  withdrawApplicationOperation,
} from '#contract/community/applications.ts'
import { isTranslatedLanguage, type SourceLanguage, translatedLanguages } from '#contract/language.ts'
import { listPageSize, maxOpenVouchRequests } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { findPasswordAttemptRateLimitKey } from '../../auth/known-browsers.ts'
import { issueOneTimeLink } from '../../auth/one-time-tokens.ts'
import { checkAndHashNewPassword, verifyPassword } from '../../auth/password-hash.ts'
import { lockCallersAccount } from '../../auth/session.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { throwFailure } from '../../errors.ts'
import { readLanguageCookie, readLanguageHeader } from '../../http/request-language.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'
import { memberKeyParameter, whereMemberMayRead } from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { decodeTimeCursor, encodeCursor } from '../../store/pagination.ts'
import { spendSignUpEmail } from '../account/account-message-limits.ts'
import { buildWebEmailLink } from '../account/email-link-urls.ts'
import {
  confirmApplication,
  decideApplication,
  eraseApplication,
  findApplicant,
  findUnconfirmedApplication,
  insertApplication,
  removeUnconfirmedApplication,
} from './applications.ts'
import { readCommunitySettings } from './community-settings.ts'

export function registerApplicationRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, applyOperation, async (given, ctx) => {
    const { name, username, email, answer, voucher = null, rulesVersion = 0 } = given
    const { request, config, database, store, emails } = ctx
    const { registration, rules, ...community } = await readCommunitySettings(database.kysely, config)
    if (registration !== 'approval' || (config.production && !community.isSetUp))
      throwFailure('applications_closed')
    if (rules.length > 0 && rulesVersion !== community.rulesVersion)
      throwFailure('rules_unseen', { field: 'rulesVersion' })
    await refuseReservedName(ctx, { name, username })
    const passwordHash = await checkAndHashNewPassword(given.password, { name, username, email })
    const language = readLanguageOf(ctx)
    const application = {
      ...{ name, username, email, passwordHash, language, answer, voucher },
      rulesSeen: rulesVersion,
    }
    const { publicId, taken } = await store.transact(({ db }) =>
      insertApplication(db, application, { toConfirm: emails.isAvailable() }),
    )
    if (!emails.isAvailable() || !(await spendSignUpEmail(ctx, email))) return
    // A link is also created for a taken address, so that the response time does not reveal that. That link is never
    // sent, and its row does not contain the address.
    const about = { accountId: null, sentTo: taken === null ? email : publicId, shownUserId: publicId }
    const { secret } = await issueOneTimeLink(database.kysely, 'application', about)
    const signIn = `${getPublicUrlForRequest(request, ctx)}/sign-in`
    if (taken === 'account') emails.send(email, renderLinkEmail('email-taken', signIn))
    else if (taken === 'application') emails.send(email, renderLinkEmail('application-waiting', signIn))
    else {
      const link = buildWebEmailLink(request, ctx, 'application', { userId: publicId, secret })
      emails.send(email, renderLinkEmail('application-confirmation', link))
    }
  })

  registerRoute(app, context, confirmApplicationOperation, async ({ password, ...proof }, ctx) => {
    const { request, reply, limits, database, store } = ctx
    await limits.consume(request, reply, 'code', { subject: `application:${proof.userId}` })
    const application = await findUnconfirmedApplication(database.kysely, proof)
    if (!application) return throwFailure('user_invalid_token')
    if (!(await verifyPassword(application.password_hash, password))) throwFailure('user_invalid_credentials')
    await store.transact(({ db }) => confirmApplication(db, proof))
  })

  registerRoute(app, context, removeApplicationByEmailLinkOperation, async (proof, { store }) => {
    await store.transact(({ db }) => removeUnconfirmedApplication(db, proof))
  })

  registerRoute(app, context, withdrawApplicationOperation, async ({ email, password }, ctx) => {
    const { request, reply, config, limits, database, store } = ctx
    const attemptKey = await findPasswordAttemptRateLimitKey(database.kysely, request, config, email)
    await limits.consume(request, reply, 'sign-in-address', { subject: attemptKey })
    const applicant = await findApplicant(database.kysely, email)
    const isPasswordCorrect = await verifyPassword(applicant?.password_hash ?? null, password)
    if (!applicant || !isPasswordCorrect) return throwFailure('user_invalid_credentials')
    await limits.reset('sign-in-address', attemptKey)
    // If the application was approved meanwhile, it is an account now.
    if (!(await store.transact(({ db }) => eraseApplication(db, applicant))))
      throwFailure('application_decided')
  })

  registerRoute(app, context, listApplicationsOperation, async ({ cursor, limit = listPageSize }, ctx) => {
    const after = cursor === undefined ? null : decodeTimeCursor(cursor)
    const page = after ? sql`and (p.created_at, p.public_id) > (${after.at}, ${after.id}::public_id)` : sql``
    const { rows } = await sql<ListedRow>`
      select p.public_id, p.created_at, p.name, p.username, p.answer, p.voucher_named, p.vouched,
        p.email_confirmed_at is not null as email_confirmed,
        v.name as voucher_name, v.username as voucher_username,
        (select count(*)::int from applications where state = 'waiting') as total
      from applications p
      left join users v on v.id = coalesce(p.voucher_id, (select n.id from users n where n.username_key = lower(p.voucher_named)))
        and ${whereMemberMayRead(memberKeyParameter(ctx.me.id), 'users', 'v')}
      where p.state = 'waiting' ${page}
      order by p.created_at, p.public_id limit ${limit}`.execute(ctx.database.kysely)
    const last = rows.at(-1)
    return {
      documents: rows.map(toApplication),
      total: rows[0]?.total ?? 0,
      next: last && rows.length === limit ? encodeCursor(last.public_id, last.created_at) : null,
    }
  })

  for (const [operation, decision] of [
    [approveApplicationOperation, 'approved'],
    [declineApplicationOperation, 'declined'],
  ] as const)
    registerRoute(app, context, operation, async ({ applicationId, sentence }, ctx) => {
      const { me, caller, request, emails, store } = ctx
      await store.transact(async (tx) => {
        // If the caller's session has ended meanwhile, this refuses the decision.
        await lockCallersAccount(tx.db, caller)
        const about = { emails, publicUrl: getPublicUrlForRequest(request, ctx) }
        await decideApplication(tx, about, applicationId, { decision, sentence, by: { member: me.id } })
      })
    })

  registerRoute(app, context, listVouchRequestsOperation, async (_input, { me, database }) => {
    const { rows } = await sql<Pick<ListedRow, 'public_id' | 'created_at' | 'username' | 'email_confirmed'>>`
      select public_id, created_at, username, email_confirmed_at is not null as email_confirmed from applications
      where voucher_id = ${me.id} and state = 'waiting' and vouched is null
      order by created_at, public_id limit ${maxOpenVouchRequests}`.execute(database.kysely)
    return {
      documents: rows.map(({ public_id, created_at, username, email_confirmed }) => ({
        $id: public_id,
        $createdAt: formatIsoTimestamp(created_at),
        username,
        emailConfirmed: email_confirmed,
      })),
    }
  })

  registerRoute(
    app,
    context,
    answerVouchRequestOperation,
    async ({ applicationId, vouched }, { me, store }) => {
      await store.transact(async ({ db }) => {
        const { numAffectedRows = 0n } = await sql`
          update applications set vouched = ${vouched}, vouched_at = clock_timestamp()
          where public_id = ${applicationId} and voucher_id = ${me.id} and state = 'waiting' and vouched is null`.execute(
          db,
        )
        if (numAffectedRows === 0n) throwFailure('application_not_found')
      })
    },
  )
}

/** The schema refuses the same names for members. */
async function refuseReservedName(
  { database }: RequestContext,
  { name, username }: { name: string; username: string },
): Promise<void> {
  const { rows } = await sql<{ name: boolean; username: boolean }>`
    select impersonates_operator(${name}, false) as name, impersonates_operator(${username}, true) as username`.execute(
    database.kysely,
  )
  if (rows[0]?.username) throwFailure('user_name_reserved', { field: 'username' })
  if (rows[0]?.name) throwFailure('user_name_reserved', { field: 'name' })
}

/** Null if the applicant's page shows both languages. */
function readLanguageOf({ request }: RequestContext): SourceLanguage | null {
  const chosen = readLanguageCookie(request) ?? readLanguageHeader(request)
  if (!chosen || chosen === 'as-it-comes') return null
  return isTranslatedLanguage(chosen) ? translatedLanguages[chosen].fallback : chosen
}

type ListedRow = {
  public_id: string
  created_at: Date
  name: string
  username: string
  answer: string
  email_confirmed: boolean
  voucher_named: string | null
  vouched: boolean | null
  voucher_name: string | null
  voucher_username: string | null
  total: number
}

const toApplication = (row: ListedRow): Application => ({
  $id: row.public_id,
  $createdAt: formatIsoTimestamp(row.created_at),
  name: row.name,
  username: row.username,
  answer: row.answer,
  emailConfirmed: row.email_confirmed,
  voucher:
    row.voucher_named === null
      ? null
      : {
          username: row.voucher_username ?? row.voucher_named,
          name: row.voucher_name,
          vouched: row.vouched,
        },
})
