/**
 * Who is asking. A session is a random secret of which only the SHA-256 is stored; it is looked up by one statement on
 * every request and never cached, so that ending it takes effect at once (architecture §14.10).
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Config } from './config.ts'
import { hostCookie } from './cookies.ts'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { isId, newId } from './ids.ts'

/** Reading D-16. */
const absoluteDays = 90
const idleDays = 14
const sessionsPerAccount = 10

export type Member = { id: number; publicId: string; name: string; username: string; imageId: string | null }

export type Account = {
  id: number
  publicId: string
  email: string | null
  name: string
  /** For its first week, in which it may do less (security reference §5.1). */
  isNew: boolean
}

/** The one behind a request: her account, this session, and her profile when she has one. */
export type Caller = {
  account: Account
  session: { id: number; publicId: string }
  member: Member | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a visitor; set before any handler runs. */
    caller: Caller | null
  }
}

/** @throws Failure 401 for a visitor and for an account without a profile. */
export function memberOf(request: FastifyRequest): Member {
  return request.caller?.member ?? fail('general_unauthorized_scope')
}

/** @throws Failure 401 for a visitor. */
export function accountOf(request: FastifyRequest): Account {
  return request.caller?.account ?? fail('general_unauthorized_scope')
}

/** What a client keeps: base64 of `{"id": account, "secret": hex}`, as the dialect has it. */
export type SessionToken = string

/** What is stored of a secret: reading the database gives nobody a session. */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** Neither over nor idle for too long (reading D-16). */
export const alive = (session: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${session}.expires_at`)} > clock_timestamp()
    and ${sql.ref(`${session}.last_seen_at`)} > clock_timestamp() - ${`${idleDays} days`}::interval`

function readToken(token: string): { accountId: string; secret: string } | null {
  try {
    const { id, secret } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    return isId(id) && typeof secret === 'string' && secret.length <= 512 ? { accountId: id, secret } : null
  } catch {
    return null
  }
}

/**
 * Begins a session and ends the account's oldest beyond the tenth.
 * @returns the token, which exists nowhere else
 */
export async function beginSession(
  db: Kysely<Tables>,
  account: { id: number; publicId: string },
  how: { provider: string; providerUid?: string; ip: string | null; userAgent: string },
): Promise<{ token: SessionToken; session: Selectable<Tables['sessions']> }> {
  const secret = randomBytes(32).toString('hex')
  const session = await db
    .insertInto('sessions')
    .values({
      public_id: newId(),
      account_id: account.id,
      secret_hash: hashOf(secret),
      provider: how.provider,
      provider_uid: how.providerUid ?? '',
      ip: how.ip,
      user_agent: how.userAgent.slice(0, 512),
      expires_at: sql<Date>`clock_timestamp() + ${`${absoluteDays} days`}::interval`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${account.id} order by created_at desc, id desc offset ${sessionsPerAccount}
    )`.execute(db)
  await sql`
    update accounts set first_session_at = coalesce(first_session_at, clock_timestamp()), accessed_at = clock_timestamp()
    where id = ${account.id}`.execute(db)
  const token = Buffer.from(JSON.stringify({ id: account.publicId, secret })).toString('base64')
  return { token, session }
}

/** Ends an account's sessions, which take their JWTs with them; of one that stays only the JWTs end. */
export async function endSessions(
  db: Kysely<Tables>,
  accountId: number,
  { but = 0 }: { but?: number } = {},
): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '!=', but).execute()
  await db.deleteFrom('jwts').where('session_id', '=', but).execute()
}

type Found = {
  session_id: number
  session_public_id: string
  stale: boolean
  status: string
  account_id: number
  account_public_id: string
  email: string | null
  account_name: string
  account_is_new: boolean
  member_id: number | null
  member_public_id: string | null
  member_name: string | null
  username: string | null
  image_public_id: string | null
}

/**
 * The caller behind a token, or null when it is unknown, over or idle for too long.
 * @throws Failure `user_blocked` when the account is blocked
 */
export async function resolveToken(db: Kysely<Tables>, token: SessionToken): Promise<Caller | null> {
  const given = readToken(token)
  if (!given) return null
  return findCaller(
    db,
    sql<boolean>`s.secret_hash = ${hashOf(given.secret)} and a.public_id = ${given.accountId}`,
  )
}

/**
 * The caller of the living session that `which` picks, a condition over `s` (sessions) and `a` (accounts).
 * @throws Failure `user_blocked` when the account is blocked
 */
export async function findCaller(db: Kysely<Tables>, which: RawBuilder<boolean>): Promise<Caller | null> {
  const { rows } = await sql<Found>`
    select s.id as session_id, s.public_id as session_public_id,
      s.last_seen_at < clock_timestamp() - interval '1 hour' as stale,
      a.status, a.id as account_id, a.public_id as account_public_id, a.email, a.name as account_name,
      a.created_at > clock_timestamp() - interval '7 days' as account_is_new,
      u.id as member_id, u.public_id as member_public_id, u.name as member_name, u.username,
      f.public_id as image_public_id
    from sessions s
    join accounts a on a.id = s.account_id
    left join users u on u.account_id = a.id
    left join files f on f.id = u.image_id
    where ${which} and ${alive('s')}
  `.execute(db)
  const found = rows[0]
  if (!found) return null
  if (found.status !== 'active') fail('user_blocked')
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
    },
    session: { id: found.session_id, publicId: found.session_public_id },
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
  }
}

/** The key of the session in cookies and in the fallback header (dialect: `a_session_<project>`). */
const sessionKey = 'a_session_juntas'

/**
 * The token a request carries: the cookie, or, for a foreign origin on the list, the fallback header (reading D-08), or
 * what a client without cookies keeps itself. An empty or damaged one is none.
 */
export function tokenOf(
  request: Pick<FastifyRequest, 'cookies' | 'headers'>,
  config: Config,
  foreignOrigin: boolean,
): SessionToken | null {
  const cookie = request.cookies[hostCookie(config, sessionKey).name]
  if (cookie) return cookie
  const kept = request.headers['x-appwrite-session']
  return (foreignOrigin ? fallbackToken(request) : null) ?? (typeof kept === 'string' && kept ? kept : null)
}

function fallbackToken(request: Pick<FastifyRequest, 'headers'>): SessionToken | null {
  const header = request.headers['x-fallback-cookies']
  if (typeof header !== 'string' || header === '' || header.length > 4096) return null
  try {
    const token = JSON.parse(header)?.[sessionKey]
    return typeof token === 'string' ? token : null
  } catch {
    return null
  }
}

/** Hands the session to the browser; a foreign client gets the fallback header instead of a cookie it could not keep. */
export function giveToken(
  reply: FastifyReply,
  config: Config,
  { token, expires, foreignOrigin }: { token: SessionToken; expires: Date; foreignOrigin: boolean },
): void {
  if (foreignOrigin) reply.header('x-fallback-cookies', JSON.stringify({ [sessionKey]: token }))
  const { name, options } = hostCookie(config, sessionKey)
  reply.setCookie(name, token, { ...options, expires })
}

/** The fallback value `[]` is what the start-up rule of the spec (§2) tests for. */
export function takeToken(reply: FastifyReply, config: Config, foreignOrigin: boolean): void {
  if (foreignOrigin) reply.header('x-fallback-cookies', '[]')
  const { name, options } = hostCookie(config, sessionKey)
  reply.clearCookie(name, options)
  // Pictures that only she may see lie in the browser's cache; whoever sits there next finds none (security reference §5.4).
  if (config.production && !foreignOrigin) reply.header('clear-site-data', '"cache"')
}
