import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'

/** Opens the configured store; loads the S3 client only if needed. */
export async function openBlobStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<BlobStore> {
  const folder = join(dataDir, 'files')
  if (!s3) return openDiskBlobStore(folder)
  const { openS3BlobStore } = await import('./s3-blob-store.ts')
  return openS3BlobStore(s3, folder)
}
