/** Becoming a member and being recognised (spec §4 Auth, Sign-up flow). */
import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { currentMember, signUp } from '#contract/account.ts'
import { usernameLength } from '#contract/limits.ts'
import { noteEvent } from '../account-record.ts'
import type { Tables } from '../database/schema.ts'
import { fail } from '../errors.ts'
import { newId } from '../ids.ts'
import { serve } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { hashPassword } from '../passwords.ts'
import { type Account, accountOf } from '../session.ts'
import { theServer, type Writing } from '../store.ts'
import { hydratePeople } from '../views.ts'

export function accountOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, signUp, async ({ name, username, email, password }, { request, store }) => {
    const passwordHash = await hashPassword(password, { name, username, email })
    return store.transact(async (writing) => {
      const given = { publicId: newId(), name, email, passwordHash }
      const account = await createAccount(writing.db, request, given)
      const member = await writing.insert(theServer, 'users', { account_id: account.id, name, username })
      return { $id: member.public_id, accountId: account.public_id }
    })
  })

  serve(app, parts, currentMember, async (_input, { request, database, config, store }) => {
    const account = accountOf(request)
    const key =
      request.caller?.member?.id ?? (await store.transact((writing) => createProfile(writing, account)))
    const [profile] = await hydratePeople(database.kysely, config, key, [key], { counts: true })
    if (!profile) return fail('general_unauthorized_scope')
    return { ...profile, accountId: account.publicId, email: account.email ?? '' }
  })
}

/** @throws through the unique constraints when the id or the e-mail is taken */
export async function createAccount(
  db: Kysely<Tables>,
  request: FastifyRequest,
  given: { publicId: string; name: string; email: string; passwordHash: string },
) {
  const account = await db
    .insertInto('accounts')
    .values({
      public_id: given.publicId,
      name: given.name,
      email: given.email,
      password_hash: given.passwordHash,
      password_updated_at: sql<Date>`clock_timestamp()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await noteEvent(db, request, account.id, 'user.create')
  return account
}

/**
 * The profile of an account that has none: the part of the e-mail before the @, with digits appended when it is taken
 * (spec §4, conflict C-47). An anonymous account is no member (reading D-09).
 * @returns the profile's key
 */
async function createProfile(writing: Writing, account: Account): Promise<number> {
  if (account.email === null) return fail('general_unauthorized_scope')
  // Two first requests at once: the second waits here and finds the profile of the first.
  await sql`select from accounts where id = ${account.id} for update`.execute(writing.db)
  const existing = await writing.db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  if (existing) return existing.id
  const username = await freeUsername(writing.db, usernameFrom(account.email))
  const member = await writing.insert(theServer, 'users', {
    account_id: account.id,
    name: account.name || username,
    username,
  })
  return member.id
}

/** What reading R-15 allows of an address's local part. */
function usernameFrom(email: string): string {
  const [local = ''] = email.split('@')
  const allowed = local.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
  return allowed.slice(0, usernameLength.max).padEnd(usernameLength.min, '0')
}

/** `lucia`, `lucia2` … `lucia99`, then digits by chance. */
async function freeUsername(db: Kysely<Tables>, wanted: string): Promise<string> {
  const stem = wanted.slice(0, usernameLength.max - 6)
  const candidates = [wanted]
  for (let n = 2; n < 100; n += 1) candidates.push(`${stem}${n}`)
  for (let n = 0; n < 10; n += 1) candidates.push(`${stem}${randomInt(100, 1_000_000)}`)
  const { rows } = await sql<{ username: string }>`
    select candidate as username from unnest(${candidates}::text[]) with ordinality as c (candidate, position)
    where not exists (select from users u where u.username_key = lower(candidate))
    order by position limit 1`.execute(db)
  return rows[0]?.username ?? fail('user_username_already_exists')
}
