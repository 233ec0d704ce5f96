/**
 * Creates the profile that an old client writes after it has made an account: the second of its three steps of signing
 * up, taken before the third, signing in.
 */
import { sql } from 'kysely'
import { type AuthenticatedAccount, type RequestCaller, refuseNonMember } from '#server/auth/session.ts'
import { throwFailure } from '#server/errors.ts'
import { systemActor } from '#server/store/actor.ts'
import type { WriteContext } from '#server/store/write-context.ts'
import { buildDocumentInsertValues } from './create-document.ts'
import { userDocumentDefinition } from './people-collections.ts'
import type { DocumentBodyAttributes } from './validate-document.ts'

/**
 * @param account of the session, or null for a visitor who has just made one
 * @param id chosen by the client; it is the address of the profile's page
 * @returns the profile's key
 * @throws Failure general_unauthorized_scope for a visitor who did not; document_already_exists for a second profile; for an id that no
 * username could be, because it is another member's or the operator's, what the username would get
 */
export async function createProfileFromDocument(
  tx: WriteContext,
  account: AuthenticatedAccount | null,
  id: string,
  given: DocumentBodyAttributes,
): Promise<number> {
  const key = account ? ownAccountKey(account, given) : await freshAccountKey(tx, given)
  const values = await buildDocumentInsertValues(tx, noMember, userDocumentDefinition, given)
  await refuseMisleadingId(tx, id)
  // Without a profile nobody owns an upload.
  if (values.image_id !== undefined) throwFailure('storage_file_not_found', { field: 'imageId' })
  // Of two concurrent calls the second waits here and meets the constraint.
  await sql`select from accounts where id = ${key} for update`.execute(tx.db)
  const row = await tx.insert(systemActor, 'users', { ...values, account_id: key, public_id: id })
  return row.id
}

/** Refuses an id by which somebody would be taken for another member, or for the operator, whatever the username. */
async function refuseMisleadingId({ db }: WriteContext, id: string): Promise<void> {
  const { rows } = await sql<{ reserved: boolean; taken: boolean }>`
    select impersonates_operator(${id}, true) as reserved, exists (
        select from users u where u.username_skeleton = username_skeleton(${id})
      ) or exists (
        select from held_usernames h where h.username_skeleton = username_skeleton(${id}) and h.held_until > clock_timestamp()
      ) as taken`.execute(db)
  if (rows[0]?.reserved) throwFailure('user_name_reserved')
  if (rows[0]?.taken) throwFailure('user_username_already_exists')
}

const noMember = { id: 0, publicId: '' }

function ownAccountKey(account: AuthenticatedAccount, { accountId }: DocumentBodyAttributes): number {
  // An anonymous account is no member.
  if (account.email === null) refuseNonMember(account)
  return accountId === undefined || accountId === account.publicId
    ? account.id
    : throwFailure('user_unauthorized')
}

/**
 * Finds an account younger than ten minutes, never signed in and without a profile, by its id and e-mail address.
 * @throws Failure general_unauthorized_scope for every other: sign in first
 */
async function freshAccountKey(
  tx: WriteContext,
  { accountId, email }: DocumentBodyAttributes,
): Promise<number> {
  if (typeof accountId !== 'string' || typeof email !== 'string')
    return throwFailure('general_unauthorized_scope')
  const { rows } = await sql<{ id: number }>`
    select a.id from accounts a
    where a.public_id = ${accountId} and a.email = ${email.trim().toLowerCase()} and a.status = 'active'
      and a.first_session_at is null and a.created_at > clock_timestamp() - interval '10 minutes'
      and not exists (select from users u where u.account_id = a.id)`.execute(tx.db)
  return rows[0]?.id ?? throwFailure('general_unauthorized_scope')
}

/**
 * Recognises an old client that is signed in without a profile: it looks for the profile among the members, has to find
 * none, and then writes it.
 */
export const isLegacyProfileLookup = (
  caller: RequestCaller | null,
  collection: string | undefined,
): boolean =>
  collection === 'users' && caller !== null && caller.member === null && caller.account.email !== null
