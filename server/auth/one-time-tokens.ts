/**
 * The database stores only the SHA-256 of a secret. A conditional update consumes the secret, so exactly one
 * of many concurrent attempts succeeds.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { normalizeTypedCode } from '#contract/account/normalize-typed-code.ts'
import { unconfirmedApplicationDays } from '#contract/community/community-limits.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { generateId } from '../ids.ts'
import { hashSecretSha256 } from './hash-secret.ts'

export type OneTimeTokenRow = Selectable<DatabaseTables['tokens']>

export type OneTimeLinkKind =
  | 'recovery'
  | 'verification'
  | 'magic-url'
  | 'email-change'
  | 'email-undo'
  | 'oauth'
  | 'application'
/** `email` and `phone` are sign-in codes. */
export type OneTimeCodeKind = 'phone' | 'email' | 'phone-verification'

/**
 * PostgreSQL intervals. The undo of a changed email address works long, because the member may be away during
 * an attack.
 */
const lifetimes: Record<OneTimeLinkKind | OneTimeCodeKind, string> = {
  recovery: '1 hour',
  verification: '1 hour',
  'magic-url': '1 hour',
  'email-change': '1 hour',
  'email-undo': '7 days',
  oauth: '10 minutes',
  application: `${unconfirmedApplicationDays} days`,
  phone: '15 minutes',
  email: '15 minutes',
  'phone-verification': '15 minutes',
}

/** Attempts per code. A database constraint uses the same number. */
const maxAttempts = 5

type TokenSubject = {
  /** Null if the recipient's address determines the account. */
  accountId: number | null
  /** The address that received the secret. If null, using the secret verifies no address. */
  sentTo: string | null
  /**
   * The id in the response. It is not the account's own if that would reveal that the address has an account.
   */
  shownUserId: string
}

export async function issueOneTimeLink(
  db: Kysely<DatabaseTables>,
  kind: OneTimeLinkKind,
  about: TokenSubject,
): Promise<{ token: OneTimeTokenRow; secret: string }> {
  const secret = randomBytes(32).toString('hex')
  return { token: await insertToken(db, kind, about, generateId(), hashSecretSha256(secret)), secret }
}

/**
 * Ends earlier codes for the same user id and address only, so that a stranger cannot end the owner's code.
 * @returns six digits
 */
export async function issueOneTimeCode(
  db: Kysely<DatabaseTables>,
  kind: OneTimeCodeKind,
  about: TokenSubject & { sentTo: string },
): Promise<{ token: OneTimeTokenRow; secret: string }> {
  await db
    .updateTable('tokens')
    .set({ attempts: maxAttempts })
    .where('kind', '=', kind)
    .where('asked_as', '=', about.shownUserId)
    .where('sent_to', '=', about.sentTo)
    .where('used_at', 'is', null)
    .execute()
  const publicId = generateId()
  const secret = String(randomInt(0, 1_000_000)).padStart(6, '0')
  return { token: await insertToken(db, kind, about, publicId, hashCode(publicId, secret)), secret }
}

/**
 * Call this in the transaction of the link's effect, so that the link still works after a refusal.
 * @throws Failure 401 `user_invalid_token`; 404 `user_not_found` for a user id that was never issued
 */
export async function consumeOneTimeLink(
  db: Kysely<DatabaseTables>,
  kinds: readonly OneTimeLinkKind[],
  userId: string,
  secret: string,
): Promise<OneTimeTokenRow> {
  const { rows } = await sql<OneTimeTokenRow>`
    update tokens as t set used_at = clock_timestamp()
    where t.secret_hash = ${hashSecretSha256(secret)} and t.kind = any(${kinds}) and ${isIssuedFor(userId)}
      and t.used_at is null and t.expires_at > clock_timestamp()
    returning t.*`.execute(db)
  return rows[0] ?? refuseToken(db, userId)
}

export async function findOneTimeCode(
  db: Kysely<DatabaseTables>,
  kinds: readonly OneTimeCodeKind[],
  userId: string,
): Promise<{ id: number; sent_to: string | null } | null> {
  const { rows } = await sql<{ id: number; sent_to: string | null }>`
    select t.id, t.sent_to from tokens t where t.kind = any(${kinds}) and ${isIssuedFor(userId)} order by t.id desc limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * A wrong code uses up an attempt. Never call this in a transaction that a refusal rolls back, because the
 * attempt must count.
 * @param found from `findOneTimeCode`: the caller counted the attempt against its address
 * @throws Failure as `consumeOneTimeLink`
 */
export async function consumeOneTimeCode(
  db: Kysely<DatabaseTables>,
  found: { id: number } | null,
  userId: string,
  code: string,
): Promise<OneTimeTokenRow> {
  const { rows } = await sql<OneTimeTokenRow>`
    update tokens as t set attempts = t.attempts + 1,
      used_at = case when t.secret_hash = sha256(convert_to(t.public_id || ':' || ${normalizeTypedCode(code)}, 'UTF8')) then clock_timestamp() end
    where t.id = ${found?.id ?? null} and t.used_at is null and t.attempts < ${maxAttempts} and t.expires_at > clock_timestamp()
    returning t.*`.execute(db)
  const [token] = rows
  return token?.used_at ? token : refuseToken(db, userId)
}

/**
 * Invalidates emailed secrets, because an intruder may have read them. Secrets sent to an unverified address stay
 * valid, because they belong to that address's owner.
 * @param proven the kind of address just verified, if the row does not say so yet
 * @param undo also revokes the link that undoes a change of address. A new password does not revoke this link: the
 * owner needs it if an intruder changed the address
 */
export async function revokeOneTimeTokens(
  db: Kysely<DatabaseTables>,
  accountId: number,
  { undo = false, verified = null }: { undo?: boolean; verified?: 'email' | 'phone' | null } = {},
): Promise<void> {
  await sql`
    update tokens as t set used_at = least(clock_timestamp(), t.expires_at)
    from accounts a
    where a.id = ${accountId} and (t.account_id = a.id
        or (t.sent_to = a.email and (a.email_verified or ${verified === 'email'}))
        or (t.sent_to = a.phone and (a.phone_verified or ${verified === 'phone'})))
      and (${undo} or t.kind <> 'email-undo') and t.used_at is null`.execute(db)
}

export async function revokeOneTimeTokensOfKind(
  db: Kysely<DatabaseTables>,
  accountId: number,
  kind: OneTimeLinkKind,
): Promise<void> {
  await sql`
    update tokens set used_at = least(clock_timestamp(), expires_at)
    where account_id = ${accountId} and kind = ${kind} and used_at is null`.execute(db)
}

const isIssuedFor = (userId: string): RawBuilder<boolean> =>
  sql`(t.asked_as = ${userId} or t.account_id = (select a.id from accounts a where a.public_id = ${userId}))`

async function refuseToken(db: Kysely<DatabaseTables>, userId: string): Promise<never> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from tokens t where t.asked_as = ${userId})
      or exists (select from accounts a where a.public_id = ${userId}) as known`.execute(db)
  return throwFailure(rows[0]?.known ? 'user_invalid_token' : 'user_not_found')
}

const insertToken = (
  db: Kysely<DatabaseTables>,
  kind: OneTimeLinkKind | OneTimeCodeKind,
  { accountId, sentTo, shownUserId }: TokenSubject,
  publicId: string,
  secretHash: Buffer,
): Promise<OneTimeTokenRow> =>
  db
    .insertInto('tokens')
    .values({
      public_id: publicId,
      account_id: accountId,
      kind,
      secret_hash: secretHash,
      sent_to: sentTo,
      asked_as: shownUserId,
      expires_at: sql<Date>`clock_timestamp() + ${lifetimes[kind]}::interval`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** There are only a million codes, so the id is the salt. */
const hashCode = (publicId: string, code: string) => hashSecretSha256(`${publicId}:${code}`)
