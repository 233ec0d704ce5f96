/**
 * Keeps recently shown pictures in memory. Browsers drop pictures that no element shows, and revalidate cached
 * pictures. Without this cache, a list would show gaps when the member goes back to it.
 */

const kept = new Map<string, HTMLImageElement>()
/** One hundred pictures are about 10 MB when compressed. */
const maxKept = 100

/** Stores the picture and evicts the least recently shown picture. */
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

/** Removes all pictures, because some may belong to a member who is now hidden. */
export const clearPictureMemoryCache = (): void => kept.clear()
