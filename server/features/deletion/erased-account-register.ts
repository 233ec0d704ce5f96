/**
 * Registers erased accounts by hash beside the pictures. A restore of an older backup would bring them back,
 * so it checks here.
 */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'

/** The key that holds one blob per account. No upload can get it, because upload keys are random. */
export const erasedAccountsKey = 'erasedaccounts'.padEnd(32, '0')

type ErasedAccount = { public_id: string; created_at: Date }

/** Includes the creation time, because somebody else may later get a deleted account's id. */
const blobNameOf = ({ public_id, created_at }: ErasedAccount): string =>
  createHash('sha256').update(`${public_id} ${created_at.toISOString()}`).digest('hex')

/** Registers an account; idempotent. Durable when it resolves. */
export async function recordErasedAccount(blobs: BlobStore, account: ErasedAccount): Promise<void> {
  await using scratch = await blobs.begin(1)
  const file = join(scratch.path, 'erased')
  await writeFile(file, '1')
  await blobs.finish(erasedAccountsKey, { [blobNameOf(account)]: file })
}

export const isErasedAccount = async (blobs: BlobStore, account: ErasedAccount): Promise<boolean> =>
  (await blobs.open(erasedAccountsKey, blobNameOf(account))) !== null
