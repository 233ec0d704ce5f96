/** Creates an LRU cache of rendered images. */
import { LRUCache } from 'lru-cache'
import { createSingleFlight, type SingleFlight } from '../concurrency/single-flight.ts'

export type CachedImage = { type: string; bytes: Buffer }

/** Returns the image of a key from the cache, or renders it once for all concurrent callers. */
export type ImageCache = SingleFlight<CachedImage>

/** The memory that an entry uses besides its bytes and key. */
const entryOverheadBytes = 300

/**
 * @param maxBytes of all images, keys and overhead
 * @param ttlMs after which an image is rendered again; by default never
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

/**
 * Copies a Buffer out of Node's shared 64 kB pool. Otherwise a cached image of 3 kB would keep the whole 64 kB in
 * memory.
 */
function copyOutOfPool(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
