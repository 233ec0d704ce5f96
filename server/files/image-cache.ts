/** Caches rendered images in memory; the least recently used go first. */
import { LRUCache } from 'lru-cache'
import { createSingleFlight, type SingleFlight } from '../concurrency/single-flight.ts'

export type CachedImage = { type: string; bytes: Buffer }

/** Returns the image of a key: cached, or made now, once for concurrent callers. */
export type ImageCache = SingleFlight<CachedImage>

/** Memory of an entry beside its bytes and key: its objects, and its slot in the cache. */
const entryOverheadBytes = 300

/**
 * @param maxBytes of all images, keys and overhead together
 * @param ttlMs after which an image is made anew; without it never
 */
export function createImageCache(maxBytes: number, ttlMs?: number): ImageCache {
  const cache = new LRUCache<string, CachedImage>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + 2 * key.length + entryOverheadBytes,
    ...(ttlMs && { ttl: ttlMs }),
  })
  const inFlight = createSingleFlight<CachedImage>()

  return async (key, make, left) =>
    cache.get(key) ??
    inFlight(
      key,
      async (unwanted) => {
        const { type, bytes } = await make(unwanted)
        const picture = { type, bytes: copyOutOfPool(bytes) }
        cache.set(key, picture)
        return picture
      },
      left,
    )
}

/** Copies a small Buffer out of Node's shared 64 kB pool: a cached image of 3 kB would keep its whole pool chunk alive. */
function copyOutOfPool(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
