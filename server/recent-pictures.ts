/** Pictures made for a request and kept in memory for the next: the one not asked for the longest goes first. */
import { createSharedWork } from './shared-work.ts'

export type MadePicture = { type: string; bytes: Buffer }

/** The picture of this name: kept, or made now, once for all who ask at the same time. */
export type RecentPictures = (key: string, make: () => Promise<MadePicture>) => Promise<MadePicture>

/**
 * @param room bytes that all pictures together may take
 * @param lifetime milliseconds after which one is made anew
 */
export function createRecentPictures(room: number, lifetime = Number.POSITIVE_INFINITY): RecentPictures {
  const kept = new Map<string, { picture: MadePicture; until: number }>()
  const making = createSharedWork<MadePicture>()
  let taken = 0

  const forget = (key: string) => {
    taken -= kept.get(key)?.picture.bytes.length ?? 0
    kept.delete(key)
  }
  const keep = (key: string, picture: MadePicture, until: number) => {
    forget(key)
    if (picture.bytes.length > room) return
    kept.set(key, { picture, until })
    taken += picture.bytes.length
    for (const oldest of kept.keys()) {
      if (taken <= room) return
      forget(oldest)
    }
  }

  return async (key, make) => {
    const found = kept.get(key)
    if (found && found.until > Date.now()) {
      keep(key, found.picture, found.until)
      return found.picture
    }
    return making(key, async () => {
      const picture = await make()
      keep(key, picture, Date.now() + lifetime)
      return picture
    })
  }
}
