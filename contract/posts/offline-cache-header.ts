/** The header says which pictures the client may store for offline use. */
export const offlineCacheHeader = 'juntas-keep'
export const offlineCachePublic = 'public'
/** This value is needed because a browser that revalidates keeps the old header if the response omits it. */
export const offlineCacheNone = 'no'

/** Variants wider than this are not stored offline. */
export const maxOfflinePictureWidth = 640
