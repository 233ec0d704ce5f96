import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { BlobStore, ListableBlobStore } from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { combineBlobStores } from './two-blob-stores.ts'

export type BlobPlace = 'disk' | 's3'
export type BlobPlaceSettings = Pick<Config, 's3' | 'dataDir'> & Partial<Pick<Config, 'filesStore'>>

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'files')

/** The store reads from both the disk and S3, because files may be moving. */
export async function openBlobStore(config: BlobPlaceSettings): Promise<BlobStore> {
  const disk = await openDiskBlobStore(folderOf(config))
  const s3 = await openS3(config)
  if (!s3) return disk
  return config.filesStore === 'disk' ? combineBlobStores(disk, s3) : combineBlobStores(s3, disk)
}

export async function openBlobPlaces(
  config: Pick<Config, 's3' | 'dataDir'>,
): Promise<{ disk: ListableBlobStore; s3: ListableBlobStore | null }> {
  return { disk: await openDiskBlobStore(folderOf(config)), s3: await openS3(config) }
}

async function openS3({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<ListableBlobStore | null> {
  if (!s3) return null
  const { openS3BlobStore } = await import('./s3-blob-store.ts')
  return openS3BlobStore(s3, folderOf({ dataDir }))
}
