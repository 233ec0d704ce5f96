import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ByteTransform } from './backup-encryption.ts'
import { forEachPictureConcurrently, readPictureList } from './copy-pictures.ts'
import {
  type BackupManifest,
  backupPictureFilePath,
  backupPictureListPath,
  backupTableName,
  backupTablePath,
  computeFileDigest,
  InvalidBackupError,
  isEncryptedBackup,
  readBackupManifest,
} from './manifest.ts'

/**
 * Reads every byte of the backup.
 * @param options.decrypt also decrypts everything, to check the key
 * @throws InvalidBackupError naming the first missing or changed part
 */
export async function verifyBackup(
  folder: string,
  { decrypt, concurrency }: { decrypt?: ByteTransform; concurrency?: number } = {},
): Promise<BackupManifest> {
  const manifest = await readBackupManifest(folder)
  const isEncrypted = isEncryptedBackup(manifest)
  const check = async (path: string, name: string, sha256: string) => {
    await checkFile(path, name, sha256)
    if (isEncrypted && decrypt) await pipeline(createReadStream(path), decrypt, consume)
  }
  for (const [table, { sha256 }] of Object.entries(manifest.tables)) {
    await check(backupTablePath(folder, table, isEncrypted), backupTableName(table, isEncrypted), sha256)
  }
  await checkFile(backupPictureListPath(folder), 'files.jsonl.gz', manifest.pictures.sha256)
  await forEachPictureConcurrently(
    readPictureList(folder),
    async ({ key, blobs }) => {
      for (const { name, sha256 } of blobs) {
        const path = backupPictureFilePath(folder, key, name)
        await check(path, `files/${key.slice(0, 2)}/${key}/${name}`, sha256)
      }
    },
    concurrency,
  )
  return manifest
}

async function consume(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

async function checkFile(path: string, name: string, sha256: string): Promise<void> {
  const found = await computeFileDigest(path)
  if (found === null) throw new InvalidBackupError(`The backup is damaged: ${name} is missing.`)
  if (found.sha256 !== sha256)
    throw new InvalidBackupError(`The backup is damaged: ${name} was changed after it was written.`)
}
