/**
 * Browsers drop pictures that no element shows, and revalidate cached ones. Without this cache, a list would show
 * gaps after going back.
 */

const kept = new Map<string, HTMLImageElement>()
/** This many pictures take about 10 MB when compressed. */
const maxKept = 100

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

/** Clears the cache, because some pictures may belong to a member who is now hidden. */
export const clearPictureMemoryCache = (): void => kept.clear()
