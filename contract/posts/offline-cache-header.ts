/** What a device may keep of what it was shown, to show it without a connection: the server says so of each answer. */

/** The header, and what it says of a picture that every member may see, or of another. */
export const offlineCacheHeader = 'juntas-keep'
export const offlineCachePublic = 'public'
/** Said in so many words: a browser that asks whether a picture is still the same keeps of an earlier answer what this one leaves out. */
export const offlineCacheNone = 'no'

/** Pixels: the widest variant of a picture that a device keeps. */
export const maxOfflinePictureWidth = 640
