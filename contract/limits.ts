/** The business constants of the spec (§9) and the settled readings, each in one place for both sides. */

export const captionLength = { min: 5, max: 2200 }
export const locationLength = { min: 1, max: 1000 }
/** Not in the spec; the schema's net (security reference §2.6). */
export const tagCount = 30
export const tagLength = 50
export const groupNameLength = { min: 1, max: 50 }
export const groupDescriptionLength = 200
/** Spec §5 gives the minimum; the dialect gives 128 for a name. */
export const nameLength = { min: 2, max: 128 }
/** Reading R-15. */
export const usernameLength = { min: 2, max: 30 }
export const bioLength = 2200
/** Spec §5; the upper bound keeps a hash from being an attack (security reference S16). */
export const passwordLength = { min: 8, max: 256 }
export const emailLength = 254
/** Reading R-10, after trimming. */
export const messageLength = { min: 1, max: 4000 }

export const explorePageSize = 9
export const homeFeedSize = 20
export const homePeopleSize = 10
export const searchResultSize = 20
export const listPageSize = 20
export const groupPostsSize = 20
export const conversationsSize = 50
export const messagesPageSize = 50

/** Bytes. Larger uploads travel in chunks of this size and can be resumed (spec §9). */
export const uploadChunkBytes = 5 * 1024 * 1024
/** Reading W-03: the operator's cap. */
export const uploadMaxBytes = 50 * 1000 * 1000
export const uploadMaxPixels = 50_000_000

/** Reading D-12: the widths a picture exists in; a request takes the next larger. */
export const imageWidths = [64, 128, 256, 320, 480, 640, 960, 1280, 1920] as const
