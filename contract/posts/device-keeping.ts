/** What a device may keep of what it was shown, to show it without a connection: the server says so of each answer. */

/** The header, and what it says of a picture that every member may see. */
export const keepHeader = 'juntas-keep'
export const keepPublic = 'public'

/** Pixels: the widest variant of a picture that a device keeps. */
export const maxKeptWidth = 640
