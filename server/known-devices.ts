/**
 * Browsers that have signed in to an account before. Guesses at a password are counted per address, so anybody could use
 * them up and lock a member out; a browser of hers is counted apart (security reference §5.1).
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Config } from './config.ts'
import { hostCookie } from './cookies.ts'
import type { Tables } from './database/schema.ts'
import { hashOf } from './session.ts'

const secondsKept = 365 * 24 * 60 * 60

/** What a wrong password counts against: this browser, where the account knows it, else the address. */
export async function guessSubject(
  db: Kysely<Tables>,
  request: FastifyRequest,
  config: Config,
  email: string,
): Promise<string> {
  const device = deviceIn(request, config)
  if (device === null) return `address:${email}`
  const { rows } = await sql`
    select from known_devices d join accounts a on a.id = d.account_id
    where d.device_hash = ${hashOf(device)} and a.email = ${email}`.execute(db)
  return rows.length > 0 ? `device:${hashOf(device).toString('hex')}:${email}` : `address:${email}`
}

/**
 * With a password that was right.
 * @returns the name that the browser is to keep
 */
export async function rememberDevice(
  db: Kysely<Tables>,
  request: FastifyRequest,
  config: Config,
  accountId: number,
): Promise<string> {
  const device = deviceIn(request, config) ?? randomBytes(32).toString('hex')
  await sql`
    insert into known_devices (device_hash, account_id) values (${hashOf(device)}, ${accountId})
    on conflict (device_hash, account_id) do update set seen_at = clock_timestamp()`.execute(db)
  return device
}

export function keepDevice(reply: FastifyReply, config: Config, device: string): void {
  const { name, options } = cookieOf(config)
  reply.setCookie(name, device, { ...options, maxAge: secondsKept })
}

const cookieOf = (config: Config) => hostCookie(config, 'device_juntas')

function deviceIn(request: FastifyRequest, config: Config): string | null {
  const device = request.cookies[cookieOf(config).name]
  return device && /^[0-9a-f]{64}$/.test(device) ? device : null
}
