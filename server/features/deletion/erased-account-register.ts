/**
 * Remembers beside the pictures which accounts were erased, by a hash: a backup from before would bring them back, and its restore
 * asks here.
 */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'

/** The one key under which they stand, a blob for each account. No upload gets it: its own are random. */
const erasedAccountsKey = 'erasedaccounts'.padEnd(32, '0')

type ErasedAccount = { public_id: string; created_at: Date }

/** With the time of its creation: whoever gets the id of a deleted account later is somebody else. */
const blobNameOf = ({ public_id, created_at }: ErasedAccount): string =>
  createHash('sha256').update(`${public_id} ${created_at.toISOString()}`).digest('hex')

/** Remembers an account; again where it is remembered already. Durable when it resolves. */
export async function recordErasedAccount(blobs: BlobStore, account: ErasedAccount): Promise<void> {
  await using scratch = await blobs.begin(1)
  const file = join(scratch.path, 'erased')
  await writeFile(file, '1')
  await blobs.finish(erasedAccountsKey, { [blobNameOf(account)]: file })
}

export const isErasedAccount = async (blobs: BlobStore, account: ErasedAccount): Promise<boolean> =>
  (await blobs.open(erasedAccountsKey, blobNameOf(account))) !== null
