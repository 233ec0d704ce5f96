import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './blobs-disk.ts'
import type { Config } from './config.ts'

/** The configured store of bytes. What speaks to a bucket is loaded only where there is one. */
export async function openBlobs({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Blobs> {
  const folder = join(dataDir, 'files')
  if (!s3) return openDiskBlobs(folder)
  const { openS3Blobs } = await import('./blobs-s3.ts')
  return openS3Blobs(s3, folder)
}
