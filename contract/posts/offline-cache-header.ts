/** Tells the client what it may store for offline use, per response. */

/** The header, with separate values for public and other pictures. */
export const offlineCacheHeader = 'juntas-keep'
export const offlineCachePublic = 'public'
/** Explicit, because a browser that revalidates keeps old headers that the new response omits. */
export const offlineCacheNone = 'no'

/** Pixels: the widest variant stored offline. */
export const maxOfflinePictureWidth = 640
