/** Says which pictures the client may store for offline use. */
export const offlineCacheHeader = 'juntas-keep'
export const offlineCachePublic = 'public'
/** Needed, because a browser that revalidates keeps the old header if the response omits it. */
export const offlineCacheNone = 'no'

/** Wider variants are not stored offline. */
export const maxOfflinePictureWidth = 640
