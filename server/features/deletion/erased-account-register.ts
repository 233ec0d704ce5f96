/** Registers erased accounts by hash beside the pictures, so that a restored backup can erase them again. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'

/** Upload keys are random, so no upload has this key. */
export const erasedAccountsKey = 'erasedaccounts'.padEnd(32, '0')

type ErasedAccount = { public_id: string; created_at: Date }

/** Another account may later get the same id, so the hash includes the creation time. */
const blobNameOf = ({ public_id, created_at }: ErasedAccount): string =>
  createHash('sha256').update(`${public_id} ${created_at.toISOString()}`).digest('hex')

/** The record is durable when the promise resolves. */
export async function recordErasedAccount(blobs: BlobStore, account: ErasedAccount): Promise<void> {
  await using scratch = await blobs.begin(1)
  const file = join(scratch.path, 'erased')
  await writeFile(file, '1')
  await blobs.finish(erasedAccountsKey, { [blobNameOf(account)]: file })
}

export const isErasedAccount = async (blobs: BlobStore, account: ErasedAccount): Promise<boolean> =>
  (await blobs.open(erasedAccountsKey, blobNameOf(account))) !== null
