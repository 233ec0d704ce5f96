/**
 * Files can move from one store to the other while members use them. Each node reads from both and deletes
 * from both, so nodes may prefer different stores.
 */
import type { BlobStore } from './blob-store.ts'

/**
 * @param preferred receives new blobs
 * @param other is read if `preferred` does not have a blob
 */
export function combineBlobStores(preferred: BlobStore, other: BlobStore): BlobStore {
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
      // The blob may have moved between the two lookups.
      return preferred.open(key, name)
    },

    async remove(key, names) {
      const ended = await Promise.allSettled([preferred.remove(key, names), other.remove(key, names)])
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    },
  }
}
