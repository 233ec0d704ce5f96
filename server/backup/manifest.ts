/**
 * What a backup says about itself: a folder with `manifest.json`, `database/<table>.copy.gz`, `files.jsonl.gz` and the
 * pictures under `files/`. The manifest is written last, so a backup that was interrupted has none.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkedKey, checkedName } from '#server/blobs.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Applied } from '#server/database/migrate.ts'

export type TableEntry = {
  columns: string[]
  rows: number
  /** Of the compressed file. */
  sha256: string
}

export type Manifest = {
  format: 1
  /** When its snapshot was taken, by the database's clock. */
  taken: string
  postgres: string
  migrations: Applied[]
  tables: Record<string, TableEntry>
  /** Where counting goes on, by `table.column`. */
  sequences: Record<string, string>
  pictures: { count: number; bytes: number; sha256: string }
  /** Keys of pictures whose bytes were not there when it was taken. */
  lost: string[]
}

/** One line of the list of pictures. */
export type PictureEntry = { key: string; blobs: { name: string; size: number; sha256: string }[] }

/** A backup that must not be restored; the message says why in a sentence. */
export class BadBackup extends CannotStart {}

export const manifestFile = (folder: string) => join(folder, 'manifest.json')
export const tableFile = (folder: string, table: string) => join(folder, 'database', `${table}.copy.gz`)
export const listFile = (folder: string) => join(folder, 'files.jsonl.gz')
export const pictureFolder = (folder: string, key: string) =>
  join(folder, 'files', checkedKey(key).slice(0, 2), key)
export const pictureFile = (folder: string, key: string, name: string) =>
  join(pictureFolder(folder, key), checkedName(name))

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const whole = { ...manifest, sha256: digest(JSON.stringify(manifest)) }
  await writeFile(manifestFile(folder), `${JSON.stringify(whole, null, 2)}\n`, { flush: true })
}

/** @throws BadBackup when there is none, or not as it was written */
export async function readManifest(folder: string): Promise<Manifest> {
  if (!existsSync(manifestFile(folder))) {
    throw new BadBackup(
      `There is no complete backup in ${folder}: it has no manifest.json, which is written last.`,
    )
  }
  const { sha256, ...manifest } = parse(await readFile(manifestFile(folder), 'utf8'))
  if (sha256 !== digest(JSON.stringify(manifest))) {
    throw new BadBackup('The backup is damaged: manifest.json is not as it was written.')
  }
  if (manifest.format !== 1)
    throw new BadBackup('The backup was made by a newer Juntas: restore it with that one.')
  return manifest
}

function parse(text: string): Manifest & { sha256?: string } {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadBackup('The backup is damaged: manifest.json is not as it was written.')
  }
}

/** @returns its size and SHA-256; null when it is not there */
export async function digestOf(path: string): Promise<{ size: number; sha256: string } | null> {
  if (!existsSync(path)) return null
  const hash = createHash('sha256')
  let size = 0
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
    }
  })
  return { size, sha256: hash.digest('hex') }
}
