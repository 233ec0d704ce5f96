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
  /** A stream of the blob or a range; the caller must read or destroy it. */
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

export const chunkBlobName = (chunk: number): string => `piece-${chunk}`

/** Checks a key before using it in a path (path traversal). @throws Error */
export function assertBlobKey(key: string): string {
  if (!/^[a-z0-9]{32}$/.test(key)) throw new Error('Not a key of a blob')
  return key
}

/** Checks a blob's name the same way. @throws Error */
export function assertBlobName(name: string): string {
  if (!/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)) throw new Error('Not a name of a blob')
  return name
}
