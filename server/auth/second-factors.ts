/**
 * Authenticator codes (RFC 6238) and recovery codes. The database counts attempts across nodes, separately
 * for strangers and known browsers (docs/topics/how-sign-in-and-two-factor-work.md).
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { hashSecretSha256 } from './hash-secret.ts'
import type { InstanceKey } from './instance-key.ts'

export type SecondFactor = 'totp' | 'recoverycode'

const totpCode = /^\d{6}$/

export const detectSecondFactorOfCode = (code: string): { factor: SecondFactor; code: string } => ({
  factor: totpCode.test(code) ? 'totp' : 'recoverycode',
  code,
})
/** A passkey has no code (passkeys.ts). */
export type SessionSecondFactor = SecondFactor | 'passkey'

type Db = Kysely<DatabaseTables>

const secretLength = 20
const periodSeconds = 30
const maxTriesAnHour = 10
const recoveryCodeCount = 10

export const whereTwoFactorIsOn = (account: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${account}.mfa`)} and exists (
    select from totp_secrets factor where factor.account_id = ${sql.ref(`${account}.id`)} and factor.verified_at is not null))`

export async function selectTwoFactorStatus(
  db: Db,
  accountId: number,
): Promise<{ on: boolean; since: Date | null; hasAuthenticator: boolean; codesLeft: number }> {
  const { rows } = await sql<{ on: boolean; since: Date | null; codes_left: number }>`
    select ${whereTwoFactorIsOn('a')} as on, (select t.verified_at from totp_secrets t where t.account_id = a.id) as since,
      (select count(*) from recovery_codes c where c.account_id = a.id and c.used_at is null)::int as codes_left
    from accounts a where a.id = ${accountId}`.execute(db)
  const found = rows[0]
  return {
    on: found?.on ?? false,
    since: found?.since ?? null,
    hasAuthenticator: found?.since != null,
    codesLeft: found?.codes_left ?? 0,
  }
}

/**
 * While two-factor authentication is off, this replaces even a verified authenticator, which an intruder with
 * the old password may have added.
 * @returns the secret as base32, and the address for the app
 * @throws Failure 409 `totp_on`
 */
export async function beginAuthenticatorSetup(
  db: Db,
  key: InstanceKey,
  { accountId, label, communityName }: { accountId: number; label: string; communityName: string },
): Promise<{ secret: string; uri: string }> {
  const { Secret, TOTP } = await import('otpauth')
  const bytes = randomBytes(secretLength)
  const sealed = await key.seal(bytes, { purpose: 'totp', owner: accountId })
  const { rows } = await sql`
    insert into totp_secrets as t (account_id, sealed) values (${accountId}, ${sealed})
    on conflict (account_id) do update set sealed = excluded.sealed, created_at = clock_timestamp(), last_step = 0,
      verified_at = null
    where t.verified_at is null or not exists (select from accounts a where a.id = t.account_id and a.mfa)
    returning t.account_id`.execute(db)
  if (rows.length === 0) throwFailure('totp_on')
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer })
  // Apps split the label at its first colon.
  const issuer = communityName.replace(/\s*:\s*/g, ' ').trim()
  return { secret: secret.base32, uri: new TOTP({ issuer, label, secret }).toString() }
}

/**
 * Accepts neighbouring periods, because clocks differ.
 * @param at milliseconds
 */
export async function findTotpTimeStep(secret: Buffer, code: string, at: number): Promise<number | null> {
  // The library throws if the number of bytes differs.
  if (!totpCode.test(code)) return null
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
  const delta = totp.validate({ token: code, timestamp: at, window: 1 })
  return delta === null ? null : Math.floor(at / 1000 / periodSeconds) + delta
}

/**
 * A wrong code uses up an attempt. Never call this in a transaction that a refusal rolls back, because the
 * attempt must count.
 * @param caller without a session, the attempt counts as a stranger's
 * @param verified false accepts the code that verifies a new authenticator
 * @throws Failure 429 after ten attempts in an hour
 */
export async function consumeSecondFactor(
  db: Db,
  key: InstanceKey,
  { account, session }: { account: { id: number }; session: { id: number; pending: boolean } | null },
  { factor, code, verified = true }: { factor: SecondFactor; code: string; verified?: boolean },
): Promise<boolean> {
  const accountId = account.id
  const isOwn = session !== null && (session.pending ? await beganInKnownBrowser(db, session.id) : true)
  const tries = sql.ref(isOwn ? 'own_tries' : 'tries')
  const since = sql.ref<Date>(isOwn ? 'own_tries_since' : 'tries_since')
  const isOver = sql`${since} < clock_timestamp() - interval '1 hour'`
  const { rows } = await sql<{ sealed: Buffer }>`
    update totp_secrets set
      ${tries} = case when ${isOver} then 1 else ${tries} + 1 end,
      ${since} = case when ${isOver} then clock_timestamp() else ${since} end
    where account_id = ${accountId} and (verified_at is not null) = ${verified}
      and (${tries} < ${maxTriesAnHour} or ${isOver})
    returning sealed`.execute(db)
  const [found] = rows
  if (!found) return refuseAttempt(db, accountId, verified, since)
  const isRight =
    factor === 'totp'
      ? await consumeTotp(
          db,
          await key.open(found.sealed, { purpose: 'totp', owner: accountId }),
          accountId,
          code,
        )
      : await consumeRecoveryCode(db, accountId, code)
  if (isRight) await sql`update totp_secrets set ${tries} = 0 where account_id = ${accountId}`.execute(db)
  return isRight
}

/** A browser does not count if an emailed link has just made it known. */
async function beganInKnownBrowser(db: Db, sessionId: number): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('from_known_browser')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session?.from_known_browser ?? false
}

/** @throws Failure 429, unless the account has no such authenticator */
async function refuseAttempt(
  db: Db,
  accountId: number,
  verified: boolean,
  since: RawBuilder<unknown>,
): Promise<false> {
  const { rows } = await sql<{ seconds_left: number }>`
    select extract(epoch from ${since} + interval '1 hour' - clock_timestamp())::float8 as seconds_left
    from totp_secrets where account_id = ${accountId} and (verified_at is not null) = ${verified}`.execute(db)
  const secondsLeft = rows[0]?.seconds_left
  if (secondsLeft === undefined) return false
  return throwFailure('general_rate_limit_exceeded', { retryAfter: Math.max(1, Math.ceil(secondsLeft)) })
}

/** Only one of two concurrent uses finds the period unused. */
async function consumeTotp(db: Db, secret: Buffer | null, accountId: number, code: string): Promise<boolean> {
  const step = secret === null ? null : await findTotpTimeStep(secret, code, Date.now())
  if (step === null) return false
  const { rows } = await sql`
    update totp_secrets set last_step = ${step} where account_id = ${accountId} and last_step < ${step}
    returning account_id`.execute(db)
  return rows.length > 0
}

/** Crockford's alphabet, which omits letters that look like other characters. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * While two-factor authentication is off, the codes belong to the caller's session.
 * @returns ten codes of the form `xxxx-xxxx`, which are stored only as hashes
 */
export async function replaceRecoveryCodes(
  db: Db,
  { account: { id: accountId }, session }: { account: { id: number }; session: { publicId: string } },
): Promise<string[]> {
  const { on } = await selectTwoFactorStatus(db, accountId)
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    Array.from(randomBytes(8), (byte) => alphabet[byte % alphabet.length]).join(''),
  )
  await db
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        account_id: accountId,
        code_hash: hashRecoveryCode(accountId, code),
        asked_in: on ? null : session.publicId,
      })),
    )
    .execute()
  return codes.map((code) => `${code.slice(0, 4)}-${code.slice(4)}`)
}

/**
 * Call this when two-factor authentication is turned on, because other sessions' codes may belong to an
 * intruder who knew the password.
 * @param which.sinceOff also keeps codes of the same authenticator from before it was turned off
 */
export async function revokeRecoveryCodesOfOtherSessions(
  db: Db,
  accountId: number,
  session: string,
  { sinceOff = false }: { sinceOff?: boolean } = {},
): Promise<void> {
  await sql`
    delete from recovery_codes
    where account_id = ${accountId} and asked_in is distinct from ${session} and not (${sinceOff} and asked_in is null)`.execute(
    db,
  )
  await db.updateTable('recovery_codes').set({ asked_in: null }).where('account_id', '=', accountId).execute()
}

const normalizeRecoveryCode = (code: string) =>
  code.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')

const hashRecoveryCode = (accountId: number, code: string) => hashSecretSha256(`${accountId}:${code}`)

async function consumeRecoveryCode(db: Db, accountId: number, typed: string): Promise<boolean> {
  const { rows } = await sql`
    update recovery_codes set used_at = clock_timestamp()
    where account_id = ${accountId} and code_hash = ${hashRecoveryCode(accountId, normalizeRecoveryCode(typed))}
      and used_at is null
    returning account_id`.execute(db)
  return rows.length > 0
}

export async function removeSecondFactors(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ verified_at: Date | null }>`
    delete from totp_secrets where account_id = ${accountId} returning verified_at`.execute(db)
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await db.updateTable('accounts').set({ mfa: false }).where('id', '=', accountId).execute()
  return rows[0] !== undefined && rows[0].verified_at !== null
}
