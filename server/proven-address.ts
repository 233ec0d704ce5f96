/**
 * The account behind an address that somebody has just proven to be hers, by a link or a code sent to it.
 *
 * Until then an address in an account is only a claim: anybody may have signed up with a stranger's. So who proves it
 * takes it, and nobody who merely claimed it keeps a way in (security reference S05, decision 0301).
 */
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Tables } from './database/schema.ts'
import { fail } from './errors.ts'
import { newId } from './ids.ts'
import { endSessions } from './session.ts'

export type AccountRow = Selectable<Tables['accounts']>
export type AddressKind = 'email' | 'phone'

/**
 * @param wantedId the public id of the account when there is none yet; another when it is taken
 * @returns the account, with the address verified
 * @throws Failure `user_blocked`
 */
export async function accountOfProven(
  db: Transaction<Tables>,
  kind: AddressKind,
  address: string,
  wantedId: string,
): Promise<AccountRow> {
  for (const publicId of [wantedId, newId(), newId()]) {
    const holder = await db
      .selectFrom('accounts')
      .selectAll()
      .where(kind, '=', address)
      .forUpdate()
      .executeTakeFirst()
    if (holder?.status === 'blocked') return fail('user_blocked')
    if (holder?.[`${kind}_verified`]) return holder
    if (holder && !(await hasAnotherProof(db, holder, kind))) return takeOver(db, holder, kind)
    if (holder) await drop(db, holder, kind)
    const created = await create(db, kind, address, publicId)
    // Nothing was created when the id was taken, or the address in this very moment: look again.
    if (created) return created
  }
  return fail('general_service_unavailable', { retryAfter: 1 })
}

/** Somebody has proven to own this account otherwise; for a phone, its e-mail address alone would let her back in. */
async function hasAnotherProof(
  db: Transaction<Tables>,
  holder: AccountRow,
  kind: AddressKind,
): Promise<boolean> {
  if (kind === 'phone' ? holder.email !== null : holder.phone_verified) return true
  const identity = await db
    .selectFrom('identities')
    .select('id')
    .where('account_id', '=', holder.id)
    .executeTakeFirst()
  return identity !== undefined
}

/** The claim was the account's only root: the account is hers, without the password and sessions of who claimed it. */
async function takeOver(db: Transaction<Tables>, holder: AccountRow, kind: AddressKind): Promise<AccountRow> {
  await endSessions(db, holder.id)
  return db
    .updateTable('accounts')
    .set({
      password_hash: null,
      password_updated_at: null,
      ...(kind === 'email' ? { email_verified: true, phone: null } : { phone_verified: true }),
    })
    .where('id', '=', holder.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const drop = (db: Transaction<Tables>, holder: AccountRow, kind: AddressKind) =>
  db
    .updateTable('accounts')
    .set({ [kind]: null })
    .where('id', '=', holder.id)
    .execute()

async function create(
  db: Transaction<Tables>,
  kind: AddressKind,
  address: string,
  publicId: string,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    insert into accounts (public_id, ${sql.ref(kind)}, ${sql.ref(`${kind}_verified`)})
    values (${publicId}, ${address}, true)
    on conflict do nothing returning *`.execute(db)
  return rows[0]
}
