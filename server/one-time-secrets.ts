/**
 * Secrets that prove one thing once: links in mails, and six-digit codes. Only their SHA-256 is stored; spending one is a
 * single conditional update, so that of fifty at once exactly one wins (security reference S04).
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { newId } from './ids.ts'
import { hashOf } from './session.ts'

export type TokenRow = Selectable<Tables['tokens']>

export type LinkKind = 'recovery' | 'verification' | 'magic-url' | 'email-undo' | 'oauth'
/** `email` and `phone` are codes to sign in with. */
export type CodeKind = 'phone' | 'email' | 'phone-verification'

/** Reading D-16; the undo of a changed e-mail has to outlast a week away (security reference S20). */
const lifetimes: Record<LinkKind | CodeKind, string> = {
  recovery: '1 hour',
  verification: '1 hour',
  'magic-url': '1 hour',
  'email-undo': '7 days',
  oauth: '10 minutes',
  phone: '15 minutes',
  email: '15 minutes',
  'phone-verification': '15 minutes',
}

/** Of a code, which can be guessed; the schema knows the same number. */
const mostTries = 5

type About = {
  /** Whose it is; null when that is decided by the address it was sent to. */
  accountId: number | null
  sentTo: string | null
  /** The user id the asker is told; the account's own may not be. */
  askedAs: string
}

/** @returns the secret of a link, 256 bits as hex, which exists nowhere else */
export async function issueLink(
  db: Kysely<Tables>,
  kind: LinkKind,
  about: About,
): Promise<{ token: TokenRow; secret: string }> {
  const secret = randomBytes(32).toString('hex')
  return { token: await insert(db, kind, about, newId(), hashOf(secret)), secret }
}

/**
 * A new code ends the earlier ones for the same address.
 * @returns six digits
 */
export async function issueCode(
  db: Kysely<Tables>,
  kind: CodeKind,
  about: About & { sentTo: string },
): Promise<{ token: TokenRow; secret: string }> {
  await db
    .updateTable('tokens')
    .set({ attempts: mostTries })
    .where('kind', '=', kind)
    .where('sent_to', '=', about.sentTo)
    .where('used_at', 'is', null)
    .execute()
  const publicId = newId()
  const secret = String(randomInt(0, 1_000_000)).padStart(6, '0')
  return { token: await insert(db, kind, about, publicId, hashOfCode(publicId, secret)), secret }
}

/**
 * Spends the secret of a link. In the transaction of what it proves: a refused effect leaves it unspent.
 * @throws Failure 401 `user_invalid_token`; 404 `user_not_found` for a user id nobody was ever told
 */
export async function spendLink(
  db: Kysely<Tables>,
  kinds: readonly LinkKind[],
  userId: string,
  secret: string,
): Promise<TokenRow> {
  const { rows } = await sql<TokenRow>`
    update tokens as t set used_at = clock_timestamp()
    where t.secret_hash = ${hashOf(secret)} and t.kind = any(${kinds}) and ${isFor(userId)}
      and t.used_at is null and t.expires_at > clock_timestamp()
    returning t.*`.execute(db)
  return rows[0] ?? refuse(db, userId)
}

/**
 * Spends a code, or one of its five tries. Never in a transaction that a refusal rolls back: the try has to count.
 * @throws Failure like `spendLink`
 */
export async function spendCode(
  db: Kysely<Tables>,
  kinds: readonly CodeKind[],
  userId: string,
  code: string,
): Promise<TokenRow> {
  const { rows } = await sql<TokenRow>`
    update tokens as t set attempts = t.attempts + 1,
      used_at = case when t.secret_hash = sha256(convert_to(t.public_id || ':' || ${code}, 'UTF8')) then clock_timestamp() end
    where t.id = (
        select t.id from tokens t where t.kind = any(${kinds}) and ${isFor(userId)} order by t.id desc limit 1
      ) and t.used_at is null and t.attempts < ${mostTries} and t.expires_at > clock_timestamp()
    returning t.*`.execute(db)
  const [token] = rows
  return token?.used_at ? token : refuse(db, userId)
}

/**
 * Ends what still opens an account or gives it a password, whoever asked for it: a letter that somebody else read does not
 * outlive a new password. The undo of a changed e-mail does.
 */
export async function endSecrets(db: Kysely<Tables>, accountId: number): Promise<void> {
  const opening: readonly (LinkKind | CodeKind)[] = ['recovery', 'magic-url', 'oauth', 'email', 'phone']
  await sql`
    update tokens as t set used_at = least(clock_timestamp(), t.expires_at)
    from accounts a
    where a.id = ${accountId} and (t.account_id = a.id or t.sent_to in (a.email, a.phone))
      and t.kind = any(${opening}) and t.used_at is null`.execute(db)
}

const isFor = (userId: string): RawBuilder<boolean> =>
  sql`(t.asked_as = ${userId} or t.account_id = (select a.id from accounts a where a.public_id = ${userId}))`

async function refuse(db: Kysely<Tables>, userId: string): Promise<never> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from tokens t where t.asked_as = ${userId})
      or exists (select from accounts a where a.public_id = ${userId}) as known`.execute(db)
  return fail(rows[0]?.known ? 'user_invalid_token' : 'user_not_found')
}

const insert = (
  db: Kysely<Tables>,
  kind: LinkKind | CodeKind,
  { accountId, sentTo, askedAs }: About,
  publicId: string,
  secretHash: Buffer,
): Promise<TokenRow> =>
  db
    .insertInto('tokens')
    .values({
      public_id: publicId,
      account_id: accountId,
      kind,
      secret_hash: secretHash,
      sent_to: sentTo,
      asked_as: askedAs,
      expires_at: sql<Date>`clock_timestamp() + ${lifetimes[kind]}::interval`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** With the token's id before it, so that one table of a million hashes does not fit all codes. */
const hashOfCode = (publicId: string, code: string) =>
  createHash('sha256').update(`${publicId}:${code}`).digest()
