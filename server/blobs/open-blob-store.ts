import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { BlobStore, ListableBlobStore } from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'

export type BlobPlace = 'disk' | 's3'
export type BlobPlaceSettings = Pick<Config, 's3' | 'dataDir'> & Partial<Pick<Config, 'filesStore'>>

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'files')

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

/**
 * Files can move between stores while members use them. Nodes read and delete from both, so they may prefer
 * different stores.
 */
function combineBlobStores(preferred: BlobStore, other: BlobStore): BlobStore {
  return {
    begin: preferred.begin,
    append: preferred.append,
    finish: preferred.finish,

    async open(key, name) {
      const first = await preferred.open(key, name).catch((error: unknown) => ({ error }))
      if (first && !('error' in first)) return first
      const second = await other.open(key, name)
      if (second) return second
      // An unreachable store must not look like a missing blob.
      if (first) throw first.error
      // The blob may have moved between both reads.
      return preferred.open(key, name)
    },

    async remove(key, names) {
      const ended = await Promise.allSettled([preferred.remove(key, names), other.remove(key, names)])
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    },
  }
}
