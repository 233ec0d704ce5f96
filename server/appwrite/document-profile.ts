/**
 * The profile an old client writes after it has made an account: the second of its three steps of signing up, taken
 * before the third, signing in (reading D-06; spec §4, sign-up flow).
 */
import { sql } from 'kysely'
import { fail } from '../errors.ts'
import type { Account, Caller } from '../session.ts'
import { theServer, type Writing } from '../store.ts'
import { valuesToCreate } from './document-creating.ts'
import { users } from './document-people.ts'
import type { Given } from './document-structure.ts'

/**
 * @param account of the session, or null for a visitor who has just made one
 * @returns the profile's key
 * @throws Failure general_unauthorized_scope for a visitor who did not; document_already_exists for a second profile
 */
export async function createProfile(
  writing: Writing,
  account: Account | null,
  id: string,
  given: Given,
): Promise<number> {
  const key = account ? hers(account, given) : await madeJustNow(writing, given)
  const values = await valuesToCreate(writing, nobodyYet, users, given)
  // She has no upload of her own before she has a profile.
  if (values.image_id !== undefined) fail('storage_file_not_found', { field: 'imageId' })
  // Two at once: the second waits here and meets the constraint.
  await sql`select from accounts where id = ${key} for update`.execute(writing.db)
  const row = await writing.insert(theServer, 'users', { ...values, account_id: key, public_id: id })
  return row.id
}

const nobodyYet = { id: 0, publicId: '' }

function hers(account: Account, { accountId }: Given): number {
  // An anonymous account is no member (reading D-09).
  if (account.email === null) fail('general_unauthorized_scope')
  return accountId === undefined || accountId === account.publicId ? account.id : fail('user_unauthorized')
}

/** Younger than ten minutes, never signed in, without a profile, and its address known: else she signs in first. */
async function madeJustNow(writing: Writing, { accountId, email }: Given): Promise<number> {
  if (typeof accountId !== 'string' || typeof email !== 'string') return fail('general_unauthorized_scope')
  const { rows } = await sql<{ id: number }>`
    select a.id from accounts a
    where a.public_id = ${accountId} and a.email = ${email.trim().toLowerCase()} and a.status = 'active'
      and a.first_session_at is null and a.created_at > clock_timestamp() - interval '10 minutes'
      and not exists (select from users u where u.account_id = a.id)`.execute(writing.db)
  return rows[0]?.id ?? fail('general_unauthorized_scope')
}

/**
 * An old client signed in without a profile looks for it among the members, finds nobody and then writes it. She is no
 * member yet, so nobody is all she can find.
 */
export const seeksHerProfile = (caller: Caller | null, collection: string | undefined): boolean =>
  collection === 'users' && caller !== null && caller.member === null && caller.account.email !== null
