/**
 * Every request looks up the SHA-256 of the session's secret without a cache, so revoking a session takes
 * effect immediately.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { LanguageSet } from '#contract/language.ts'
import { type BindNamedValue, compileStatementOnce } from '../database/compiled-statement.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId, isValidPublicId } from '../ids.ts'
import { whereAccountAwaitsErasure } from './account-reopening.ts'
import { hashSecretSha256 } from './hash-secret.ts'
import { lockAccountRow } from './lock-account-row.ts'
import { type SessionSecondFactor, whereTwoFactorIsOn } from './second-factors.ts'

const absoluteDays = 90
const idleDays = 14
const sessionsPerAccount = 10
const pendingMinutes = 10
/** The limit applies twice: to known browsers together, and to all other browsers together. */
const pendingSessionsPerAccount = 3

export type AuthenticatedMember = {
  id: number
  publicId: string
  name: string
  username: string
  imageId: string | null
}

export type AuthenticatedAccount = {
  id: number
  publicId: string
  email: string | null
  name: string
  /** Lower rate limits apply in a member's first week. */
  isNew: boolean
  language: LanguageSet | null
}

/** `member` is null for an account without a profile. */
export type RequestCaller = {
  account: AuthenticatedAccount
  /** `pending`: waits for its second factor. */
  session: {
    id: number
    publicId: string
    pending: boolean
    /** The account is being deleted, but the member can still keep it. */
    closing: boolean
  }
  member: AuthenticatedMember | null
  /** The row that the same statement selected; null if none was requested or found. */
  row: object | null
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: RequestCaller | null
    /** The caller of a pending session, for which `caller` is null. */
    pendingCaller: RequestCaller | null
    /** The caller whose account is being deleted, for which `caller` is null. */
    closingCaller: RequestCaller | null
    /** The project id as the client named it. */
    project?: string
  }
}

/**
 * @param scope the missing permission, named in the error
 * @throws Failure 401 for a visitor or an account without a profile
 */
export function requireCallingMember(request: FastifyRequest, scope?: string): AuthenticatedMember {
  if (request.pendingCaller && !request.caller) throwFailure('user_more_factors_required')
  if (request.closingCaller && !request.caller) throwFailure('account_closing')
  return request.caller?.member ?? refuseNonMember(request.caller?.account ?? null, scope)
}

export function refuseNonMember(account: Pick<AuthenticatedAccount, 'email'> | null, scope?: string): never {
  if (account === null) {
    return throwFailure(
      'general_unauthorized_scope',
      scope ? { message: `User (role: guests) missing scope (${scope})` } : {},
    )
  }
  const missing =
    account.email === null
      ? 'an email address: PATCH /v1/account/email makes an anonymous account a member’s'
      : 'a profile: GET /v1/me makes it, as does a document in `users`'
  return throwFailure('general_unauthorized_scope', { message: `User (role: users) is missing ${missing}` })
}

export function requireRequestCaller(request: FastifyRequest): RequestCaller {
  if (request.caller) return request.caller
  if (request.closingCaller) throwFailure('account_closing')
  return throwFailure(request.pendingCaller ? 'user_more_factors_required' : 'general_unauthorized_scope')
}

/** @throws Failure 403 if the given id is not the caller's */
export function assertActorIsCaller(me: AuthenticatedMember, given: string | undefined): void {
  if (given !== undefined && given !== me.publicId) throwFailure('user_unauthorized')
}

/** Base64 of `{"id": account, "secret": hex}`, as in Appwrite. */
export type SessionToken = string

export const whereSessionIsLive = (session: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${session}.expires_at`)} > clock_timestamp()
    and ${sql.ref(`${session}.last_seen_at`)} > clock_timestamp() - ${`${idleDays} days`}::interval`

function parseToken(token: string): { accountId: string; secret: string } | null {
  try {
    const { id, secret } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    return isValidPublicId(id) && typeof secret === 'string' && secret.length <= 512
      ? { accountId: id, secret }
      : null
  } catch {
    return null
  }
}

/**
 * Revokes the account's oldest sessions beyond ten. With two-factor authentication the session is pending.
 * Pending sessions count separately, and known browsers separately from others, so that a password alone
 * cannot end the owner's sessions.
 * @param how.browser the browser's token; a trusted browser skips the second factor
 * @param how.verifiesBothFactors the session is complete, as if the caller had just entered the second factor
 * @returns the token, which is stored only as a hash
 */
export async function createSession(
  db: Kysely<DatabaseTables>,
  account: { id: number; publicId: string },
  how: {
    provider: string
    providerUid?: string
    ip: string | null
    userAgent: string
    browser?: string | null
    known?: boolean
    verifiesBothFactors?: boolean
  },
): Promise<{ token: SessionToken; session: Selectable<DatabaseTables['sessions']> }> {
  const secret = randomBytes(32).toString('hex')
  const isPending = sql<boolean>`${!how.verifiesBothFactors} and ${whereSecondStepIsAsked(account.id, how.browser ?? null)}`
  const session = await db
    .insertInto('sessions')
    .values({
      public_id: generateId(),
      account_id: account.id,
      secret_hash: hashSecretSha256(secret),
      provider: how.provider,
      provider_uid: how.providerUid ?? '',
      ip: how.ip,
      user_agent: how.userAgent.slice(0, 512),
      from_known_browser: how.known ?? true,
      second_proved_at: how.verifiesBothFactors ? sql<Date>`clock_timestamp()` : null,
      pending_until: sql<Date | null>`case when ${isPending} then clock_timestamp() + ${`${pendingMinutes} minutes`}::interval end`,
      expires_at: sql<Date>`case when ${isPending} then clock_timestamp() - interval '1 day' else ${absoluteEndSql} end`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await (session.pending_until === null
    ? revokeOldestSessions(db, account.id)
    : sql`
      delete from sessions where id in (
        select id from sessions where account_id = ${account.id} and pending_until is not null
          and from_known_browser = ${session.from_known_browser}
        order by id desc offset ${pendingSessionsPerAccount}
      )`.execute(db))
  await sql`
    update accounts set first_session_at = coalesce(first_session_at, clock_timestamp()), accessed_at = clock_timestamp()
    where id = ${account.id}`.execute(db)
  return { token: formatToken(account.publicId, secret), session }
}

const whereSecondStepIsAsked = (accountId: number, browser: string | null): RawBuilder<boolean> =>
  sql`exists (
    select from accounts a where a.id = ${accountId} and ${whereTwoFactorIsOn('a')} and not exists (
      select from known_devices d where d.account_id = a.id and d.trusted_until > now()
        and d.device_hash = ${browser === null ? null : hashSecretSha256(browser)}))`

export async function isSecondStepRequired(
  db: Kysely<DatabaseTables>,
  accountId: number,
  browser: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ asked: boolean }>`
    select ${whereSecondStepIsAsked(accountId, browser)} as asked`.execute(db)
  return rows[0]?.asked ?? false
}

const absoluteEndSql = sql<Date>`clock_timestamp() + ${`${absoluteDays} days`}::interval`

const formatToken = (accountId: string, secret: string): SessionToken =>
  Buffer.from(JSON.stringify({ id: accountId, secret })).toString('base64')

const revokeOldestSessions = (db: Kysely<DatabaseTables>, accountId: number) =>
  sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId} and pending_until is null
      order by created_at desc, id desc offset ${sessionsPerAccount}
    )`.execute(db)

/**
 * Gives the session a new secret, so that a planted one is worthless.
 * @returns null if the session has expired
 */
export async function completePendingSession(
  db: Kysely<DatabaseTables>,
  { account, session }: RequestCaller,
  factor: SessionSecondFactor,
): Promise<{ token: SessionToken; session: Selectable<DatabaseTables['sessions']> } | null> {
  const secret = randomBytes(32).toString('hex')
  const now = sql<Date>`clock_timestamp()`
  const completed = await db
    .updateTable('sessions')
    .set({
      secret_hash: hashSecretSha256(secret),
      pending_until: null,
      expires_at: absoluteEndSql,
      last_seen_at: now,
      second_factor: factor,
      second_proved_at: now,
      proved_at: now,
    })
    .where('id', '=', session.id)
    .where('pending_until', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (!completed) return null
  await revokeOldestSessions(db, account.id)
  return { token: formatToken(account.publicId, secret), session: completed }
}

/**
 * Call this when a browser ends its own session. Otherwise, the push notification about the end would appear
 * to a user who has just signed out.
 */
export async function deletePushSubscriptionOfSession(
  db: Kysely<DatabaseTables>,
  sessionId: number,
): Promise<void> {
  // Subscribing locks the session and its subscription in the same order.
  await db.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute()
  await db.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).execute()
}

/**
 * Revokes their JWTs too.
 * @param except id of a session that stays but loses its JWTs
 */
export async function revokeSessions(
  db: Kysely<DatabaseTables>,
  accountId: number,
  { except = 0 }: { except?: number } = {},
): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '!=', except).execute()
  await db.deleteFrom('jwts').where('session_id', '=', except).execute()
}

/**
 * Ending a session takes the same lock, so no writes happen after the session ends, and nobody can
 * concurrently remove the last two ways to sign in.
 * @throws Failure 401 `general_unauthorized_scope` if the session has ended
 */
export async function lockCallersAccount(
  db: Kysely<DatabaseTables>,
  { account, session }: { account: { id: number }; session: { id: number } },
): Promise<void> {
  await lockAccountRow(db, account.id)
  const { rows } = await sql`
    select from sessions where id = ${session.id} and pending_until is null for key share`.execute(db)
  if (rows.length === 0) throwFailure('general_unauthorized_scope')
}

export async function isSessionLive(db: Kysely<DatabaseTables>, session: number): Promise<boolean> {
  const { rows } =
    await sql`select from sessions s where s.id = ${session} and ${whereSessionIsLive('s')}`.execute(db)
  return rows.length > 0
}

/**
 * Lets a route select a row without a second statement. The row must not contain column names of
 * `SessionRow`.
 */
export type SelectForCaller = (me: Expression<number>) => Expression<unknown>

type SessionRow = {
  pending: boolean
  closing: boolean
  session_id: number
  session_public_id: string
  stale: boolean
  status: string
  account_id: number
  account_public_id: string
  email: string | null
  account_name: string
  account_is_new: boolean
  account_language: LanguageSet | null
  member_id: number | null
  member_public_id: string | null
  member_name: string | null
  username: string | null
  image_public_id: string | null
}

/**
 * Returns null if the session is unknown, expired, idle for too long, or pending. @throws Failure
 * `user_blocked`
 */
export async function findCallerBySessionToken(
  db: Kysely<DatabaseTables>,
  token: SessionToken,
): Promise<RequestCaller | null> {
  return wholeCaller(await findCallerOrPendingCaller(db, token))
}

export async function findCallerOrPendingCaller(
  db: Kysely<DatabaseTables>,
  token: SessionToken,
  select?: SelectForCaller,
): Promise<RequestCaller | null> {
  const given = parseToken(token)
  if (!given) return null
  const { accountId } = given
  const secretHash = hashSecretSha256(given.secret)
  if (select) return findSession(db, whereSecretIs(sql`${secretHash}`, sql`${accountId}`), select)
  return toCaller(db, await selectSessionOfToken(db, { secretHash, accountId }))
}

const whereSecretIs = (secretHash: Expression<unknown>, accountId: Expression<unknown>) =>
  sql<boolean>`s.secret_hash = ${secretHash} and a.public_id = ${accountId}`

/** Most requests use this statement. */
const selectSessionOfToken = compileStatementOnce(
  (value: BindNamedValue<{ secretHash: Buffer; accountId: string }>): RawBuilder<SessionRow> =>
    buildSelectSession(whereSecretIs(value('secretHash'), value('accountId'))),
)

function wholeCaller(found: RequestCaller | null): RequestCaller | null {
  // Only a caller who has entered the second factor may learn the account's state.
  if (found === null || found.session.pending) return null
  if (found.session.closing) throwFailure('user_blocked')
  return found
}

/**
 * @param condition on `s` (sessions) and `a` (accounts)
 * @param select selects a row in the same statement
 * @throws Failure `user_blocked`
 */
export async function findCallerByCondition(
  db: Kysely<DatabaseTables>,
  condition: RawBuilder<boolean>,
  select?: SelectForCaller,
): Promise<RequestCaller | null> {
  return wholeCaller(await findSession(db, condition, select))
}

async function findSession(
  db: Kysely<DatabaseTables>,
  condition: RawBuilder<boolean>,
  select?: SelectForCaller,
): Promise<RequestCaller | null> {
  const { rows } = await buildSelectSession(condition, select).execute(db)
  return toCaller(db, rows)
}

const buildSelectSession = (
  condition: RawBuilder<boolean>,
  select?: SelectForCaller,
): RawBuilder<SessionRow> => {
  const row = select?.(sql.ref<number>('u.id'))
  return sql`
    select s.id as session_id, s.public_id as session_public_id, s.pending_until is not null as pending,
      s.last_seen_at < clock_timestamp() - interval '1 hour' as stale,
      a.status, ${whereAccountAwaitsErasure('a')} as closing, a.id as account_id, a.public_id as account_public_id, a.email, a.name as account_name,
      a.created_at > clock_timestamp() - interval '7 days' as account_is_new,
      a.language as account_language,
      u.id as member_id, u.public_id as member_public_id, u.name as member_name, u.username,
      f.public_id as image_public_id${row ? sql`, beside.*` : sql``}
    from sessions s
    join accounts a on a.id = s.account_id
    left join users u on u.account_id = a.id
    left join files f on f.id = u.image_id
    ${row ? sql`left join lateral ${row} beside on true` : sql``}
    where ${condition} and (${whereSessionIsLive('s')} or s.pending_until > clock_timestamp())
  `
}

async function toCaller(
  db: Kysely<DatabaseTables>,
  [found]: readonly (SessionRow & { id?: number | null })[],
): Promise<RequestCaller | null> {
  if (!found) return null
  if (found.status !== 'active' && !found.closing && !found.pending) throwFailure('user_blocked')
  if (found.stale) {
    await sql`update sessions set last_seen_at = clock_timestamp() where id = ${found.session_id}`.execute(db)
  }
  return {
    account: {
      id: found.account_id,
      publicId: found.account_public_id,
      email: found.email,
      name: found.account_name,
      isNew: found.account_is_new,
      language: found.account_language,
    },
    session: {
      id: found.session_id,
      publicId: found.session_public_id,
      pending: found.pending,
      closing: found.closing,
    },
    member:
      found.member_id === null
        ? null
        : {
            id: found.member_id,
            publicId: found.member_public_id as string,
            name: found.member_name as string,
            username: found.username as string,
            imageId: found.image_public_id,
          },
    row: typeof found.id === 'number' && !found.pending && !found.closing ? found : null,
  }
}
