/**
 * Stores the bytes of files, whose rows are in the database. A key is random and names one upload; under it are the
 * upload's chunks until it is finished, then the original and its variants. A folder and S3 implement the five functions.
 */
import type { Readable } from 'node:stream'

/** A private temporary folder, on the volume of the blobs; deleted when disposed of. */
export type ScratchFolder = AsyncDisposable & { path: string }

/** Both inclusive, in bytes, within the blob. */
export type ByteRange = { start: number; end: number }

export type OpenedBlob = {
  /** Bytes of the whole blob. */
  size: number
  /** A stream of it, or of a part; whoever calls it must read or destroy it. */
  read(range?: ByteRange): Readable
}

export type BlobStore = {
  /**
   * Creates a scratch folder.
   * @param bytes that it will hold at most
   * @throws Failure storage_device_full when they would leave too little free space
   */
  begin(bytes: number): Promise<ScratchFolder>
  /** Stores a scratch file as a chunk of an upload: in any order, repeatedly, from any node. Durable when it resolves. */
  append(key: string, chunk: number, file: string): Promise<void>
  /** Stores scratch files by name, replacing existing ones. Durable when it resolves. */
  finish(key: string, files: Record<string, string>): Promise<void>
  /** Opens a blob. @returns null when it does not exist */
  open(key: string, name: string): Promise<OpenedBlob | null>
  /** Removes the named blobs, or all of the key; missing ones are no error. */
  remove(key: string, names?: string[]): Promise<void>
}

/** Names the blob of a chunk. */
export const chunkBlobName = (chunk: number): string => `piece-${chunk}`

/** Checks a key before it becomes part of a path (path traversal). @throws Error for what no row can hold */
export function assertBlobKey(key: string): string {
  if (!/^[a-z0-9]{32}$/.test(key)) throw new Error('Not a key of a blob')
  return key
}

/** Checks a blob's name likewise. @throws Error */
export function assertBlobName(name: string): string {
  if (!/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)) throw new Error('Not a name of a blob')
  return name
}
