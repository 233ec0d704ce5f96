/** Pictures made for a request and kept in memory for the next: the one not asked for the longest goes first. */
import { LRUCache } from 'lru-cache'
import { createSharedWork, type SharedWork } from './shared-work.ts'

export type MadePicture = { type: string; bytes: Buffer }

/** The picture of this name: kept, or made now, once for all who ask at the same time. */
export type RecentPictures = SharedWork<MadePicture>

/** Bytes that a kept picture takes beside its own and its name's: the objects and the slot that hold it. */
const besides = 300

/**
 * @param room bytes that all pictures together may take, with their names and what holds them
 * @param lifetime milliseconds after which one is made anew
 */
export function createRecentPictures(room: number, lifetime?: number): RecentPictures {
  const kept = new LRUCache<string, MadePicture>({
    maxSize: room,
    sizeCalculation: ({ bytes }, key) => bytes.length + 2 * key.length + besides,
    ...(lifetime && { ttl: lifetime }),
  })
  const making = createSharedWork<MadePicture>()

  return async (key, make, left) =>
    kept.get(key) ??
    making(
      key,
      async (unwanted) => {
        const { type, bytes } = await make(unwanted)
        const picture = { type, bytes: alone(bytes) }
        kept.set(key, picture)
        return picture
      },
      left,
    )
}

/** Small Buffers share pieces of 64 kB: a picture of 3 kB that stays would hold all of its piece, 20 times the room. */
function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
