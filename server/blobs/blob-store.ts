/**
 * The bytes of files; the database has their rows. A random key identifies one upload: its chunks until it is
 * finished, then the original and its variants. A folder and S3 each have an implementation.
 */
import type { Readable } from 'node:stream'

/** Private, on the same volume as the blobs, and deleted on disposal. */
export type ScratchFolder = AsyncDisposable & { path: string }

/** Both ends included. */
export type ByteRange = { start: number; end: number }

export type OpenedBlob = {
  /** Of the whole blob. */
  size: number
  /**
   * The caller must read or destroy the stream. If the blob was deleted after `open`, it fails with an error
   * for which `isBlobGone` is true.
   */
  read(range?: ByteRange): Readable
}

export type BlobStore = {
  /**
   * @param bytes the most that the folder will contain
   * @throws Failure storage_device_full if too little space would remain
   */
  begin(bytes: number): Promise<ScratchFolder>
  /**
   * Stores a scratch file as a chunk, in any order, repeatedly and from any node. Durable when the promise
   * resolves.
   */
  append(key: string, chunk: number, file: string): Promise<void>
  /** Stores scratch files by name and replaces existing files. Durable when the promise resolves. */
  finish(key: string, files: Record<string, string>): Promise<void>
  /** Null if the blob does not exist. */
  open(key: string, name: string): Promise<OpenedBlob | null>
  /** Without `names`, all blobs of the key. A missing blob is not an error. */
  remove(key: string, names?: string[]): Promise<void>
}

export type StoredKey = { key: string; names: string[] }

/** One folder or bucket. Lists omit files that are not Juntas's own. */
export type ListableBlobStore = BlobStore & {
  /** In ascending order. @param after lists only greater keys */
  list(after?: string): AsyncGenerator<StoredKey>
  /** Empty if the key does not exist. */
  names(key: string): Promise<string[]>
}

/** Node's own code for missing files. */
export const isBlobGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

export const chunkBlobName = (chunk: number): string => `piece-${chunk}`
export const isChunkBlobName = (name: string): boolean => /^piece-\d+$/.test(name)

/** Prevents path traversal. @throws Error */
export function assertBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new Error('Not a key of a blob')
  return key
}
export const isBlobKey = (key: string): boolean => /^[a-z0-9]{32}$/.test(key)

/** @throws Error */
export function assertBlobName(name: string): string {
  if (!isBlobName(name)) throw new Error('Not a name of a blob')
  return name
}
export const isBlobName = (name: string): boolean => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)
