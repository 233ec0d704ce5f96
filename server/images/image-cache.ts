import { LRUCache } from 'lru-cache'
import { createSingleFlight, type SingleFlight } from '../concurrency/single-flight.ts'

export type CachedImage = { type: string; bytes: Buffer }

/** Renders an image once for all concurrent callers. */
export type ImageCache = SingleFlight<CachedImage>

/** The memory that an entry needs besides its bytes and key. */
const entryOverheadBytes = 300

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

/** Copies small Buffers, which would otherwise keep Node's shared pool of 64 kB in memory. */
function copyOutOfPool(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
