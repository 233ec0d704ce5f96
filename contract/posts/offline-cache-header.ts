/** Tells the client which pictures it may store for offline use. */
export const offlineCacheHeader = 'juntas-keep'
export const offlineCachePublic = 'public'
/** A browser that revalidates keeps an old header if the new response omits it. */
export const offlineCacheNone = 'no'

/** Pixels. Wider variants are not stored offline. */
export const maxOfflinePictureWidth = 640
