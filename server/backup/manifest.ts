/**
 * Reads and writes the manifest of a backup. A backup is a folder with `manifest.json`, `database/<table>.copy.gz`,
 * `files.jsonl.gz` and the pictures under `files/`. The manifest is written last, so a backup that was interrupted has none.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { assertBlobKey, assertBlobName } from '#server/blobs/blob-store.ts'
import type { AppliedMigration } from '#server/database/migrate.ts'
import { StartupError } from '#server/startup-error.ts'

export type BackupTableEntry = {
  columns: string[]
  rows: number
  /** Of the compressed file. */
  sha256: string
}

export type BackupManifest = {
  format: 1
  /** When its snapshot was taken, by the database's clock. */
  taken: string
  postgres: string
  migrations: AppliedMigration[]
  tables: Record<string, BackupTableEntry>
  /** The last value of each sequence, by `table.column`; empty where none was taken. */
  sequences: Record<string, string>
  pictures: { count: number; bytes: number; sha256: string }
  /** Keys of pictures whose bytes were missing or damaged when it was taken. */
  lost: string[]
}

/** A line of files.jsonl.gz. */
export type BackupPictureEntry = { key: string; blobs: { name: string; size: number; sha256: string }[] }

/** Refuses a backup that must not be restored; the message says why in a sentence. */
export class InvalidBackupError extends StartupError {}

export const backupManifestPath = (folder: string) => join(folder, 'manifest.json')
export const backupTablePath = (folder: string, table: string) => join(folder, 'database', `${table}.copy.gz`)
export const backupPictureListPath = (folder: string) => join(folder, 'files.jsonl.gz')
export const backupPictureFolderPath = (folder: string, key: string) =>
  join(folder, 'files', assertBlobKey(key).slice(0, 2), key)
export const backupPictureFilePath = (folder: string, key: string, name: string) =>
  join(backupPictureFolderPath(folder, key), assertBlobName(name))

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

export async function writeBackupManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const whole = { ...manifest, sha256: digest(JSON.stringify(manifest)) }
  await writeFile(backupManifestPath(folder), `${JSON.stringify(whole, null, 2)}\n`, { flush: true })
}

/** @throws InvalidBackupError when there is none, it was changed since, or a newer version wrote it */
export async function readBackupManifest(folder: string): Promise<BackupManifest> {
  if (!existsSync(backupManifestPath(folder))) {
    throw new InvalidBackupError(
      `There is no complete backup in ${folder}: it has no manifest.json, which is written last.`,
    )
  }
  const { sha256, ...manifest } = parse(await readFile(backupManifestPath(folder), 'utf8'))
  if (sha256 !== digest(JSON.stringify(manifest))) {
    throw new InvalidBackupError('The backup is damaged: manifest.json is not as it was written.')
  }
  if (manifest.format !== 1)
    throw new InvalidBackupError('The backup was made by a newer Juntas: restore it with that one.')
  return manifest
}

function parse(text: string): BackupManifest & { sha256?: string } {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidBackupError('The backup is damaged: manifest.json is not as it was written.')
  }
}

/** Reads the size and SHA-256 of a file; null when it is not there. */
export async function computeFileDigest(path: string): Promise<{ size: number; sha256: string } | null> {
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
