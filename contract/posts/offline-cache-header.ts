/** A response header that tells the client what it may store for offline use. */

/** The name of the header. It has separate values for public and other pictures. */
export const offlineCacheHeader = 'juntas-keep'
export const offlineCachePublic = 'public'
/** The header always has a value. A browser that revalidates keeps an old header if the new response omits it. */
export const offlineCacheNone = 'no'

/** The widest variant that is stored offline, in pixels. */
export const maxOfflinePictureWidth = 640
