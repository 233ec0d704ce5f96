/**
 * Files can move between stores while members use them. Nodes read and delete from both, so they may prefer
 * different stores.
 */
import type { BlobStore } from './blob-store.ts'

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
      // The blob may have moved between both reads.
      return preferred.open(key, name)
    },

    async remove(key, names) {
      const ended = await Promise.allSettled([preferred.remove(key, names), other.remove(key, names)])
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    },
  }
}
