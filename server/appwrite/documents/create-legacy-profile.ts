import { sql } from 'kysely'
import { type AuthenticatedAccount, type RequestCaller, refuseNonMember } from '#server/auth/session.ts'
import { throwFailure } from '#server/errors.ts'
import { systemActor } from '#server/store/actor.ts'
import type { StoreTransaction } from '#server/store/store-transaction.ts'
import { buildDocumentInsertValues } from './create-document.ts'
import { userDocumentDefinition } from './people-collections.ts'
import type { DocumentBodyAttributes } from './validate-document.ts'

/**
 * Old clients write the profile between creating an account and signing in.
 * @param account null for a visitor with a new account
 * @param id chosen by the client; becomes part of the profile page's URL
 * @throws Failure general_unauthorized_scope for other visitors; document_already_exists for a second
 * profile; the username's error for an id that belongs to another member or the operator
 */
export async function createProfileFromDocument(
  tx: StoreTransaction,
  account: AuthenticatedAccount | null,
  id: string,
  given: DocumentBodyAttributes,
): Promise<number> {
  const key = account ? ownAccountKey(account, given) : await freshAccountKey(tx, given)
  const values = await buildDocumentInsertValues(tx, noMember, userDocumentDefinition, given)
  await refuseMisleadingId(tx, id)
  // The account has no profile yet, so it cannot own an upload.
  if (values.image_id !== undefined) throwFailure('storage_file_not_found', { field: 'imageId' })
  // A concurrent call waits for this lock and then violates the unique constraint.
  await sql`select from accounts where id = ${key} for update`.execute(tx.db)
  const row = await tx.insert(systemActor, 'users', { ...values, account_id: key, public_id: id })
  return row.id
}

/** Ids could imitate another member or the operator. */
async function refuseMisleadingId({ db }: StoreTransaction, id: string): Promise<void> {
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
  if (account.email === null) refuseNonMember(account)
  return accountId === undefined || accountId === account.publicId
    ? account.id
    : throwFailure('user_unauthorized')
}

/**
 * Finds an account that is under ten minutes old, was never signed in to and has no profile. The owner of any other
 * account must sign in first.
 * @throws Failure general_unauthorized_scope
 */
async function freshAccountKey(
  tx: StoreTransaction,
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

/** Old clients look for their profile before creating it, and must not find one. */
export const isLegacyProfileLookup = (
  caller: RequestCaller | null,
  collection: string | undefined,
): boolean =>
  collection === 'users' && caller !== null && caller.member === null && caller.account.email !== null
