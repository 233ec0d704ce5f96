/**
 * Keeps pictures that were shown in the page's memory. A browser asks the server before it shows one that it has on disk, and
 * forgets one that no element shows: on the way back to a list they would be missing until the answers are there.
 */

const kept = new Map<string, HTMLImageElement>()
/** Some 10 MB, as they are sent. */
const maxKept = 100

/** Keeps the picture of that address, and drops the one that was shown longest ago. */
export function addToPictureMemoryCache(url: string): void {
  const image = kept.get(url) ?? new Image()
  if (image.src === '') image.src = url
  kept.delete(url)
  kept.set(url, image)
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) return
    kept.delete(oldest)
  }
}

/** Drops all of them: somebody is out of sight, whose pictures may be among them. */
export const clearPictureMemoryCache = (): void => kept.clear()
