/**
 * A backup has `manifest.json`, `database/<table>.copy.gz`, `files.jsonl.gz` and pictures in `files/`. Names
 * of encrypted files end in `.age`; manifest and list contain no secrets. The manifest is written last, so an
 * interrupted backup has none.
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
  /** The hash of the compressed file. */
  sha256: string
}

export type BackupManifest = {
  /** Format 2 is encrypted, and older versions refuse it. */
  format: 1 | 2
  recipients?: string[]
  /** The snapshot's time, by the database's clock. */
  taken: string
  postgres: string
  migrations: AppliedMigration[]
  tables: Record<string, BackupTableEntry>
  /** Keys are `table.column`. Empty if unused. */
  sequences: Record<string, string>
  pictures: { count: number; bytes: number; sha256: string }
  lost: string[]
}

/** One line of files.jsonl.gz. It describes the files as stored, encrypted or not. */
export type BackupPictureEntry = {
  key: string
  blobs: { name: string; size: number; sha256: string }[]
  recipients?: string[]
}

/** Thrown if the backup must not be restored. */
export class InvalidBackupError extends StartupError {}

export const encryptedSuffix = '.age'

export const backupManifestPath = (folder: string) => join(folder, 'manifest.json')
export const backupTableName = (table: string, isEncrypted: boolean) =>
  `database/${table}.copy.gz${isEncrypted ? encryptedSuffix : ''}`
export const backupTablePath = (folder: string, table: string, isEncrypted: boolean) =>
  join(folder, backupTableName(table, isEncrypted))
export const backupPictureListPath = (folder: string) => join(folder, 'files.jsonl.gz')
export const backupPictureFolderPath = (folder: string, key: string) =>
  join(folder, 'files', assertBlobKey(key).slice(0, 2), key)
export const backupPictureFilePath = (folder: string, key: string, name: string) =>
  join(backupPictureFolderPath(folder, key), assertBlobName(name))

export const isEncryptedBackup = ({ recipients }: BackupManifest) => recipients !== undefined

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

export async function writeBackupManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const whole = { ...manifest, sha256: digest(JSON.stringify(manifest)) }
  await writeFile(backupManifestPath(folder), `${JSON.stringify(whole, null, 2)}\n`, { flush: true })
}

/** @throws InvalidBackupError if the manifest is missing, changed, or from a newer version */
export async function readBackupManifest(folder: string): Promise<BackupManifest> {
  if (!existsSync(backupManifestPath(folder))) {
    throw new InvalidBackupError(
      `There is no complete backup in ${folder}: it has no manifest.json, which is written last.`,
    )
  }
  const { sha256, ...manifest } = parse(await readFile(backupManifestPath(folder), 'utf8'))
  if (sha256 !== digest(JSON.stringify(manifest))) {
    throw new InvalidBackupError('The backup is damaged: manifest.json was changed after it was written.')
  }
  if (manifest.format !== 1 && manifest.format !== 2)
    throw new InvalidBackupError('The backup was made by a newer Juntas: restore it with that one.')
  return manifest
}

function parse(text: string): BackupManifest & { sha256?: string } {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidBackupError('The backup is damaged: manifest.json was changed after it was written.')
  }
}

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
