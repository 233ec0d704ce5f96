/**
 * The bytes of members' pictures, apart from their rows. A key is random and names one upload; under it lie the upload's
 * pieces while it travels, then the original and its variants. Five verbs, so that another store can stand behind them.
 */
import type { Readable } from 'node:stream'

/** A private folder for bytes on their way, on the volume that blobs live on; gone when disposed of. */
export type Scratch = AsyncDisposable & { path: string }

/** Both inclusive, in bytes, within the blob. */
export type Range = { start: number; end: number }

export type Opened = {
  /** Bytes of the whole blob. */
  size: number
  /** A stream of it, or of a part; whoever calls it must read or destroy it. */
  read(range?: Range): Readable
}

export type Blobs = {
  /**
   * Makes room for bytes on their way.
   * @param bytes how many are expected at most
   * @throws Failure storage_device_full when they would leave too little room for everything else
   */
  begin(bytes: number): Promise<Scratch>
  /** Moves a scratch file in as one piece of an upload: in any order, again, from any node. Synced before it returns. */
  append(key: string, piece: number, file: string): Promise<void>
  /** Moves scratch files in under their names, replacing what had them. Synced before it returns. */
  finish(key: string, files: Record<string, string>): Promise<void>
  /** Null when there is no such blob. */
  open(key: string, name: string): Promise<Opened | null>
  /** Takes away the named blobs, or all of the key; what is not there is no error. */
  remove(key: string, names?: string[]): Promise<void>
}

/** The name of a piece among the blobs of its key. */
export const pieceName = (piece: number): string => `piece-${piece}`

/** @throws Error for what no row can hold: nothing a member sends becomes part of a path (security reference F05) */
export function checkedKey(key: string): string {
  if (!/^[a-z0-9]{32}$/.test(key)) throw new Error('Not a key of a blob')
  return key
}

/** @throws Error as for a key */
export function checkedName(name: string): string {
  if (!/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name)) throw new Error('Not a name of a blob')
  return name
}
