/** Verifies a backup byte by byte, before anything is restored. */

import { forEachPictureConcurrently, readPictureList } from './copy-pictures.ts'
import {
  type BackupManifest,
  backupPictureFilePath,
  backupPictureListPath,
  backupTablePath,
  computeFileDigest,
  InvalidBackupError,
  readBackupManifest,
} from './manifest.ts'

/** @throws InvalidBackupError naming the first missing or changed part */
export async function verifyBackup(folder: string): Promise<BackupManifest> {
  const manifest = await readBackupManifest(folder)
  for (const [table, { sha256 }] of Object.entries(manifest.tables)) {
    await checkFile(backupTablePath(folder, table), `database/${table}.copy.gz`, sha256)
  }
  await checkFile(backupPictureListPath(folder), 'files.jsonl.gz', manifest.pictures.sha256)
  await forEachPictureConcurrently(readPictureList(folder), async ({ key, blobs }) => {
    for (const { name, sha256 } of blobs) {
      await checkFile(
        backupPictureFilePath(folder, key, name),
        `files/${key.slice(0, 2)}/${key}/${name}`,
        sha256,
      )
    }
  })
  return manifest
}

async function checkFile(path: string, name: string, sha256: string): Promise<void> {
  const found = await computeFileDigest(path)
  if (found === null) throw new InvalidBackupError(`The backup is damaged: ${name} is missing.`)
  if (found.sha256 !== sha256)
    throw new InvalidBackupError(`The backup is damaged: ${name} is not as it was written.`)
}
