/**
 * Stores the bytes of files; the database has their rows. A random key identifies one upload: its chunks until it is
 * finished, then the original and its variants. A folder and S3 each have an implementation.
 */
import type { Readable } from 'node:stream'

/** A private temporary folder on the same volume as the blobs. It is deleted on disposal. */
export type ScratchFolder = AsyncDisposable & { path: string }

/** A range of bytes, both ends included. */
export type ByteRange = { start: number; end: number }

export type OpenedBlob = {
  /** The size of the whole blob in bytes. */
  size: number
  /**
   * Returns a stream of the blob or of a range. The caller must read or destroy it. If the blob was deleted after
   * `open`, the stream fails with an error for which `isBlobGone` is true.
   */
  read(range?: ByteRange): Readable
}

export type BlobStore = {
  /**
   * Creates a scratch folder.
   * @param bytes the most that it will contain
   * @throws Failure storage_device_full if too little space would remain
   */
  begin(bytes: number): Promise<ScratchFolder>
  /**
   * Stores a scratch file as a chunk of an upload. Chunks can be stored in any order, repeatedly and from any node.
   * Durable when the promise resolves.
   */
  append(key: string, chunk: number, file: string): Promise<void>
  /** Stores scratch files by name and replaces existing files. Durable when the promise resolves. */
  finish(key: string, files: Record<string, string>): Promise<void>
  /** @returns null if it does not exist */
  open(key: string, name: string): Promise<OpenedBlob | null>
  /** Removes the named blobs, or all blobs of the key. A missing blob is not an error. */
  remove(key: string, names?: string[]): Promise<void>
}

/** A key with the names of its blobs. */
export type StoredKey = { key: string; names: string[] }

/** One folder or bucket whose keys can be listed. Lists omit files that are not Juntas's own. */
export type ListableBlobStore = BlobStore & {
  /** Lists keys in ascending order. @param after lists only greater keys */
  list(after?: string): AsyncGenerator<StoredKey>
  /** Lists the names of a key's blobs. The list is empty if the key does not exist. */
  names(key: string): Promise<string[]>
}

/** The error code is Node's own code for missing files. */
export const isBlobGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

export const chunkBlobName = (chunk: number): string => `piece-${chunk}`
export const isChunkBlobName = (name: string): boolean => /^piece-\d+$/.test(name)

/** Checks a key before it is used in a path, against path traversal. @throws Error */
export function assertBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new Error('Not a key of a blob')
  return key
}
export const isBlobKey = (key: string): boolean => /^[a-z0-9]{32}$/.test(key)

/** Checks the name of a blob in the same way. @throws Error */
export function assertBlobName(name: string): string {
  if (!isBlobName(name)) throw new Error('Not a name of a blob')
  return name
}
export const isBlobName = (name: string): boolean => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)
