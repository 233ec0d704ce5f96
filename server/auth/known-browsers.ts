/**
 * Wrong passwords count per email address, so a stranger could lock a member out. A known browser therefore
 * has a separate count of attempts.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { toRateLimitAddress } from '../net/rate-limit-address.ts'
import { hashSecretSha256 } from './hash-secret.ts'
import { defineHostCookie } from './host-cookie.ts'

export type RememberedBrowser = { browser: string; known: boolean }

const cookieMaxAgeSeconds = 365 * 24 * 60 * 60

/**
 * Returns a key for the known browser or network, otherwise for the email address. The address may be
 * unverified, because signing in with it required the password.
 */
export const findPasswordAttemptRateLimitKey = async (
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  config: Config,
  email: string,
): Promise<string> =>
  (await findOwnerRateLimitKey(db, request, config, email, { orClaimed: true })) ?? `address:${email}`

/**
 * Returns a key that strangers do not share: a known browser, or a network with a session since the password
 * was chosen.
 * @param contact a verified email address or phone number
 * @param options.orClaimed also accepts an unverified email address
 * @returns null if no account with that contact knows the caller
 */
export async function findOwnerRateLimitKey(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  config: Config,
  contact: string,
  { orClaimed = false }: { orClaimed?: boolean } = {},
): Promise<string | null> {
  const token = readBrowserCookie(request, config)
  const browser = token === null ? null : hashSecretSha256(token)
  const { rows } = await sql<{ by_browser: boolean; by_network: boolean }>`
    select exists (
        select from known_devices d where d.device_hash = ${browser} and d.account_id = a.id
      ) as by_browser, exists (
        select from sessions s where s.account_id = a.id and s.pending_until is null and ${isSameNetwork('s', request.ip)}
      ) or exists (
        select from account_events e where e.account_id = a.id and e.event = 'session.create'
          and e.created_at > coalesce(a.password_updated_at, '-infinity') and masklen(e.ip) in (32, 128)
          and ${isSameNetwork('e', request.ip)}
      ) as by_network
    from accounts a where (a.email = ${contact} and (a.email_verified or ${orClaimed}))
      or (a.phone = ${contact} and a.phone_verified)`.execute(db)
  if (browser && rows.some((known) => known.by_browser)) return `device:${browser.toString('hex')}:${contact}`
  return rows.some((known) => known.by_network)
    ? `network:${toRateLimitAddress(request.ip)}:${contact}`
    : null
}

/** True for the same IPv4 address or IPv6 /64. */
const isSameNetwork = (row: string, ip: string): RawBuilder<boolean> => {
  const address = sql.ref<string>(`${row}.ip`)
  return sql`(${address} = ${ip}::inet or (family(${address}) = 6 and not ${address} << '::ffff:0:0/96'
    and set_masklen(${address}, 64) >>= ${ip}::inet))`
}

/**
 * Call this after a sign-in.
 * @param options.trusted skips the second factor for thirty days. The browser gets a new token, because the
 * former token may be copied or planted
 * @returns the token for `setBrowserCookie`
 */
export async function rememberBrowser(
  db: Kysely<DatabaseTables>,
  request: FastifyRequest,
  config: Config,
  accountId: number,
  { trusted = false }: { trusted?: boolean } = {},
): Promise<string> {
  const before = readBrowserCookie(request, config)
  const token = before === null || trusted ? randomBytes(32).toString('hex') : before
  if (before !== null && trusted) await replaceBrowserToken(db, accountId, before, token)
  const trustedUntil = sql`case when ${trusted}::boolean then clock_timestamp() + interval '30 days' end`
  await sql`
    insert into known_devices as d (device_hash, account_id, trusted_until)
    values (${hashSecretSha256(token)}, ${accountId}, ${trustedUntil})
    on conflict (device_hash, account_id) do update set seen_at = clock_timestamp(),
      trusted_until = coalesce(excluded.trusted_until, d.trusted_until)`.execute(db)
  return token
}

/** The browser's other accounts know the new token too. */
async function replaceBrowserToken(
  db: Kysely<DatabaseTables>,
  accountId: number,
  before: string,
  after: string,
): Promise<void> {
  await sql`
    insert into known_devices (device_hash, account_id)
    select ${hashSecretSha256(after)}, d.account_id from known_devices d
    where d.device_hash = ${hashSecretSha256(before)} and d.account_id <> ${accountId} order by d.account_id
    on conflict do nothing`.execute(db)
  await sql`
    update known_devices set trusted_until = null
    where device_hash = ${hashSecretSha256(before)} and account_id = ${accountId} and trusted_until is not null`.execute(
    db,
  )
}

export async function revokeTrustOfAllBrowsers(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await db
    .updateTable('known_devices')
    .set({ trusted_until: null })
    .where('account_id', '=', accountId)
    .where('trusted_until', 'is not', null)
    .execute()
}

export async function isKnownBrowser(
  db: Kysely<DatabaseTables>,
  browser: string | null,
  accountId: number,
): Promise<boolean> {
  if (browser === null) return false
  const known = await db
    .selectFrom('known_devices')
    .select('account_id')
    .where('device_hash', '=', hashSecretSha256(browser))
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return known !== undefined
}

/** Call this after a new password, because a known browser may belong to an intruder with the old one. */
export async function forgetBrowsers(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await db.deleteFrom('known_devices').where('account_id', '=', accountId).execute()
}

export function setBrowserCookie(reply: FastifyReply, config: Config, token: string): void {
  const { name, options } = browserCookie(config)
  reply.setCookie(name, token, { ...options, maxAge: cookieMaxAgeSeconds })
}

const browserCookie = (config: Config) => defineHostCookie(config, 'device_juntas')

export function readBrowserCookie(request: FastifyRequest, config: Config): string | null {
  const token = request.cookies[browserCookie(config).name]
  return token && /^[0-9a-f]{64}$/.test(token) ? token : null
}
