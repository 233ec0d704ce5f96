/**
 * Keeps shown pictures in the page's memory. Otherwise they would be missing on the way back to a list:
 * browsers revalidate cached pictures and drop those no element shows.
 */

const kept = new Map<string, HTMLImageElement>()
/** About 10 MB as sent. */
const maxKept = 100

/** Stores the picture, evicting the least recently shown. */
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

/** Drops all pictures, because some may belong to a member who is now hidden. */
export const clearPictureMemoryCache = (): void => kept.clear()
