/**
 * Registers erased accounts by hash beside the pictures. If an older backup is restored, the restore looks here and
 * erases these accounts again.
 */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'

/** The storage key that holds one blob per account. No upload can have this key, because upload keys are random. */
export const erasedAccountsKey = 'erasedaccounts'.padEnd(32, '0')

type ErasedAccount = { public_id: string; created_at: Date }

/** The hash includes the creation time, because another account may later get the same id. */
const blobNameOf = ({ public_id, created_at }: ErasedAccount): string =>
  createHash('sha256').update(`${public_id} ${created_at.toISOString()}`).digest('hex')

/**
 * Registers an account. Registering it twice has no further effect. The record is durable when the promise resolves.
 */
export async function recordErasedAccount(blobs: BlobStore, account: ErasedAccount): Promise<void> {
  await using scratch = await blobs.begin(1)
  const file = join(scratch.path, 'erased')
  await writeFile(file, '1')
  await blobs.finish(erasedAccountsKey, { [blobNameOf(account)]: file })
}

export const isErasedAccount = async (blobs: BlobStore, account: ErasedAccount): Promise<boolean> =>
  (await blobs.open(erasedAccountsKey, blobNameOf(account))) !== null
