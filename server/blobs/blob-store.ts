/**
 * Stores file bytes; the database has their rows. A random key names one upload: its chunks until finished,
 * then the original and variants. Implemented for a folder and S3.
 */
import type { Readable } from 'node:stream'

/** A private temporary folder on the blobs' volume, deleted on disposal. */
export type ScratchFolder = AsyncDisposable & { path: string }

/** Inclusive bytes. */
export type ByteRange = { start: number; end: number }

export type OpenedBlob = {
  /** The whole blob's bytes. */
  size: number
  /**
   * A stream of the blob or a range; the caller must read or destroy it. It fails with an error for which
   * `isBlobGone` holds if the blob was deleted after `open`.
   */
  read(range?: ByteRange): Readable
}

export type BlobStore = {
  /**
   * Creates a scratch folder.
   * @param bytes its maximum content
   * @throws Failure storage_device_full if too little space would remain
   */
  begin(bytes: number): Promise<ScratchFolder>
  /**
   * Stores a scratch file as an upload's chunk: in any order, repeatably, from any node. Durable once
   * resolved.
   */
  append(key: string, chunk: number, file: string): Promise<void>
  /** Stores scratch files by name, replacing existing ones. Durable once resolved. */
  finish(key: string, files: Record<string, string>): Promise<void>
  /** @returns null if it does not exist */
  open(key: string, name: string): Promise<OpenedBlob | null>
  /** Removes named blobs, or the whole key; missing ones are no error. */
  remove(key: string, names?: string[]): Promise<void>
}

/** A key with its blobs' names. */
export type StoredKey = { key: string; names: string[] }

/** One folder or bucket, whose keys can be listed. Lists omit what is not ours. */
export type ListableBlobStore = BlobStore & {
  /** Lists keys in ascending order. @param after lists only greater keys */
  list(after?: string): AsyncGenerator<StoredKey>
  /** Lists a key's names; none if it does not exist. */
  names(key: string): Promise<string[]>
}

/** The code is Node's own for missing files. */
export const isBlobGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

export const chunkBlobName = (chunk: number): string => `piece-${chunk}`
export const isChunkBlobName = (name: string): boolean => /^piece-\d+$/.test(name)

/** Checks a key before using it in a path (path traversal). @throws Error */
export function assertBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new Error('Not a key of a blob')
  return key
}
export const isBlobKey = (key: string): boolean => /^[a-z0-9]{32}$/.test(key)

/** Checks a blob's name the same way. @throws Error */
export function assertBlobName(name: string): string {
  if (!isBlobName(name)) throw new Error('Not a name of a blob')
  return name
}
export const isBlobName = (name: string): boolean => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)
