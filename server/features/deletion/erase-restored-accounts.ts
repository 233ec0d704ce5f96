/** A restored backup contains accounts that were erased after the backup was taken. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/open-database.ts'
import { generateId } from '../../ids.ts'
import type { ServerLogger } from '../../log.ts'
import { createTransactionalStore } from '../../store/store.ts'
import { collectionEffects } from '../collection-effects.ts'
import { type ErasureContext, eraseAccount } from './erase-account.ts'
import { isErasedAccount } from './erased-account-register.ts'

const batchAccounts = 200

/** The address no longer belongs to a member, and the receipt was signed before. */
const withoutEmailsAndReceipts: Pick<ErasureContext, 'emails' | 'limits' | 'instanceKey'> = {
  emails: {
    isAvailable: () => false,
    assertAvailable() {},
    send() {},
    sendWithin: async () => null,
    sendNow: () => Promise.reject(new Error('no email is sent')),
    attempt: async () => {},
    drain: async () => {},
  },
  limits: {
    consume: async () => {},
    consumeFor: (_request, _reply, _limit, work) => work(),
    spend: async () => false,
    reset: async () => {},
  },
  instanceKey: {
    seal: () => Promise.reject(new Error('nothing is sealed')),
    open: async () => null,
    derivePushSeed: () => Promise.reject(new Error('nothing is pushed')),
    deriveUnsubscribeKey: () => Promise.reject(new Error('no summary is sent')),
    findUnsubscribeKey: async () => null,
    deriveReceiptSeed: () => Promise.reject(new Error('no receipt is signed')),
    deriveExportKey: () => Promise.reject(new Error('no copy is opened')),
    findReceiptSeed: async () => null,
    assertMatchesDatabase: async () => 'unused',
    registerForOtherNodes: async () => {},
  },
}

/**
 * Pending deletions start their waiting period again, because the owner may have cancelled since the backup.
 * @returns how many accounts were erased again
 */
export async function eraseRestoredAccounts(given: {
  config: Config
  log: ServerLogger
  database: Database
  blobs: BlobStore
}): Promise<number> {
  const { config, database, blobs } = given
  const db = database.kysely
  const ctx = {
    ...given,
    ...withoutEmailsAndReceipts,
    store: createTransactionalStore(database, collectionEffects, () => {}),
  }
  await sql`
    update deletions set erase_after = greatest(erase_after, clock_timestamp() + ${`${config.deletionGraceDays} days`}::interval)
    where state = 'waiting'`.execute(db)
  let erased = 0
  for (let after = 0; ; ) {
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'public_id', 'created_at'])
      .where('id', '>', after)
      .where('erased_at', 'is', null)
      .orderBy('id')
      .limit(batchAccounts)
      .execute()
    const found = await Promise.all(accounts.map((account) => isErasedAccount(blobs, account)))
    for (const [index, { id }] of accounts.entries()) {
      if (!found[index]) continue
      await eraseAccount(ctx, await beginErasingAgain(ctx, id), { again: true })
      erased += 1
    }
    if (accounts.length < batchAccounts) return erased
    after = accounts.at(-1)?.id ?? after
  }
}

async function beginErasingAgain({ store }: Pick<ErasureContext, 'store'>, account: number): Promise<number> {
  return store.transact(async ({ db }) => {
    await db
      .updateTable('accounts')
      .set({ status: 'blocked', reopens_on_sign_in: false })
      .where('id', '=', account)
      .execute()
    const { id } = await db
      .insertInto('deletions')
      .values({
        public_id: generateId(),
        account_id: account,
        state: 'erasing',
        erase_after: sql<Date>`clock_timestamp()`,
        cancel_hash: hashSecretSha256(randomBytes(32).toString('hex')),
      })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ state: 'erasing' }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}
