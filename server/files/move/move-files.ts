/**
 * Members use the server during the move (decision 0229). If the command crashes, run it again. The old
 * copies stay until `removeOldCopies`.
 */
import { isChunkBlobName, type ListableBlobStore, type StoredKey } from '#server/blobs/blob-store.ts'
import type { BlobPlace } from '#server/blobs/open-blob-store.ts'
import { StartupError } from '#server/startup-error.ts'
import {
  copyFilesOfKeys,
  type FileMoveContext,
  findKeyUses,
  keysPerBatch,
  removeUnused,
} from './copy-stored-files.ts'
import {
  beginFileMove,
  type FileMoveState,
  readFileMove,
  updateFileMove,
  withFileMoveLock,
} from './file-move-state.ts'
import { type VerifiedFiles, verifyFiles } from './verify-files.ts'

export type FileMoveProgress = { step: 'copying' | 'verifying' | 'removing'; files: number; bytes: number }
type Progress = (progress: FileMoveProgress) => void

/**
 * @returns the verified files; after a problem, the move stays unfinished
 * @throws StartupError if another command moves files
 */
export function moveFiles(
  context: FileMoveContext,
  place: BlobPlace,
  onProgress: Progress,
): Promise<VerifiedFiles> {
  return withFileMoveLock(context.db, async () => {
    await settleInterrupted(context)
    const begun = await beginFileMove(context.db, place)
    if (!begun.copied_at) await copyAll(context, begun, onProgress)
    return verifyAll(context, begun, onProgress)
  })
}

/** Removes files that were deleted while a killed command copied them. */
async function settleInterrupted(context: FileMoveContext): Promise<void> {
  const before = await readFileMove(context.db)
  if (!before || before.in_flight.length === 0) return
  await removeUnused(context, before.in_flight)
  await updateFileMove(context.db, { in_flight: [] })
}

async function copyAll(context: FileMoveContext, begun: FileMoveState, onProgress: Progress): Promise<void> {
  const { db, source } = context
  const total = { files: begun.files, bytes: begun.bytes }
  for await (const batch of batchesOf(source.list(begun.copied_key))) {
    const copied = await copyBatch(context, batch)
    total.files += copied.files
    total.bytes += copied.bytes
    await updateFileMove(db, { copied_key: batch.at(-1)?.key, in_flight: [], ...total })
    onProgress({ step: 'copying', ...total })
  }
  await updateFileMove(db, { copied_at: new Date() })
}

/** The caller clears `in_flight`. */
async function copyBatch(context: FileMoveContext, batch: readonly StoredKey[]) {
  const uses = await findKeyUses(
    context,
    batch.map(({ key }) => key),
  )
  const kept = batch.filter(({ key }) => uses.get(key)?.use === 'kept')
  const keys = kept.map(({ key }) => key)
  await updateFileMove(context.db, { in_flight: keys })
  const copied = await copyFilesOfKeys(context, kept, uses)
  await removeUnused(context, keys)
  return copied
}

async function* batchesOf(keys: AsyncIterable<StoredKey>): AsyncGenerator<StoredKey[]> {
  let batch: StoredKey[] = []
  for await (const stored of keys) {
    batch.push(stored)
    if (batch.length < keysPerBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function verifyAll(
  context: FileMoveContext,
  { verified_id }: FileMoveState,
  onProgress: Progress,
): Promise<VerifiedFiles> {
  const { db, source, target, pace } = context
  const verified = await verifyFiles(
    { db, store: target, pace },
    {
      after: verified_id,
      // A node that preferred the source may have stored these after the copy had passed.
      async repair(keys) {
        await updateFileMove(db, { in_flight: keys })
        for (const key of keys) {
          const names = await source.names(key)
          if (!names.includes('original')) continue
          await target.remove(key, ['original'])
          await copyFilesOfKeys(context, [{ key, names }], await findKeyUses(context, [key]))
        }
        await removeUnused(context, keys)
        await updateFileMove(db, { in_flight: [] })
      },
      async onPage(last, { files, bytes, missing, wrong }) {
        onProgress({ step: 'verifying', files, bytes })
        // After a problem, the next run starts here again.
        if (missing + wrong === 0) await updateFileMove(db, { verified_id: last })
      },
    },
  )
  if (verified.missing + verified.wrong === 0) await updateFileMove(db, { verified_at: new Date() })
  return verified
}

export type RemovedCopies = {
  files: number
  bytes: number
  /** `unfinished`: being written. `notMoved`: incomplete in the target. */
  unfinished: number
  notMoved: number
  unused: number
}

/**
 * Removes each old copy after checking its new copy again.
 * @param withUnused also removes keys that no row needs
 * @throws StartupError without a verified move to `place`
 */
export function removeOldCopies(
  context: FileMoveContext,
  place: BlobPlace,
  withUnused: boolean,
  onProgress: Progress,
): Promise<RemovedCopies> {
  return withFileMoveLock(context.db, async () => {
    await settleInterrupted(context)
    const move = await readFileMove(context.db)
    if (move?.target !== place || !move.verified_at) {
      throw new StartupError(
        `The files are not all in ${place} yet: run npm run files -- move --to ${place} first.`,
      )
    }
    const removed: RemovedCopies = { files: 0, bytes: 0, unfinished: 0, notMoved: 0, unused: 0 }
    for await (const batch of batchesOf(context.source.list())) {
      await removeBatch(context, batch, withUnused, removed)
      onProgress({ step: 'removing', files: removed.files, bytes: removed.bytes })
    }
    if (removed.unfinished + removed.notMoved === 0)
      await updateFileMove(context.db, { ended_at: new Date() })
    return removed
  })
}

async function removeBatch(
  context: FileMoveContext,
  batch: readonly StoredKey[],
  withUnused: boolean,
  removed: RemovedCopies,
): Promise<void> {
  const { db, source, target, permanentKeys } = context
  await copyBatch(context, batch)
  await updateFileMove(db, { in_flight: [] })
  const uses = await findKeyUses(
    context,
    batch.map(({ key }) => key),
  )
  for (const { key, names } of batch) {
    const use = uses.get(key)?.use ?? 'unused'
    if (use === 'unfinished') removed.unfinished += 1
    else if (use === 'unused' && !withUnused) removed.unused += 1
    else if (use === 'kept' && !(await isWhole(target, key, names))) {
      // The file may have been deleted just now.
      const now = await findKeyUses(context, [key])
      if (now.get(key)?.use === 'kept') removed.notMoved += 1
    } else {
      for (const name of names) removed.bytes += (await source.open(key, name))?.size ?? 0
      removed.files += names.length
      // A node that prefers the source may add to the register meanwhile.
      await source.remove(key, permanentKeys.includes(key) ? names : undefined)
    }
  }
}

async function isWhole(target: ListableBlobStore, key: string, names: readonly string[]): Promise<boolean> {
  const there = new Set(await target.names(key))
  return names.every((name) => there.has(name) || isChunkBlobName(name))
}
