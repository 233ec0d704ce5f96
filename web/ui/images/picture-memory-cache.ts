/** Browsers drop and revalidate pictures that no element shows, so going back to a list would show gaps. */

const kept = new Map<string, HTMLImageElement>()
/** About 10 MB when compressed. */
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

/** Some may belong to a member who is now hidden. */
export const clearPictureMemoryCache = (): void => kept.clear()
