/**
 * A random key identifies one upload: its chunks until it is finished, then the original and its variants.
 */
import type { Readable } from 'node:stream'

/** A temporary folder on the blobs' volume. Disposal deletes it. */
export type ScratchFolder = AsyncDisposable & { path: string }

/** Both `start` and `end` are included. */
export type ByteRange = { start: number; end: number }

export type OpenedBlob = {
  size: number
  /**
   * The caller must read or destroy the stream. If the blob is deleted meanwhile, the stream fails with
   * `isBlobGone`.
   */
  read(range?: ByteRange): Readable
}

export type BlobStore = {
  /**
   * @param bytes the most that the folder will contain
   * @throws Failure storage_device_full if too little space would remain
   */
  begin(bytes: number): Promise<ScratchFolder>
  /** Accepts chunks in any order, repeatedly and from any node. Durable when the promise resolves. */
  append(key: string, chunk: number, file: string): Promise<void>
  /** Replaces existing files. Durable when the promise resolves. */
  finish(key: string, files: Record<string, string>): Promise<void>
  open(key: string, name: string): Promise<OpenedBlob | null>
  /** Removes all blobs of the key by default. A missing blob is not an error. */
  remove(key: string, names?: string[]): Promise<void>
}

export type StoredKey = { key: string; names: string[] }

/** Omits files that are not Juntas's own. */
export type ListableBlobStore = BlobStore & {
  /** Lists keys in ascending order. @param after lists only greater keys */
  list(after?: string): AsyncGenerator<StoredKey>
  names(key: string): Promise<string[]>
}

/** Every store throws Node's error code for missing files. */
export const isBlobGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

export const chunkBlobName = (chunk: number): string => `piece-${chunk}`
export const isChunkBlobName = (name: string): boolean => /^piece-\d+$/.test(name)

/** Prevents path traversal. */
export function assertBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new Error('Not a key of a blob')
  return key
}
export const isBlobKey = (key: string): boolean => /^[a-z0-9]{32}$/.test(key)

export function assertBlobName(name: string): string {
  if (!isBlobName(name)) throw new Error('Not a name of a blob')
  return name
}
export const isBlobName = (name: string): boolean => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)
