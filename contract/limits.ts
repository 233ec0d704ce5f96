/** Limits that server and web share. */

export const captionLengthLimits = { min: 5, max: 2200 }
export const locationLengthLimits = { min: 1, max: 1000 }
export const maxPostPhotos = 10
export const maxMessagePhotos = 4
/** The limit of a photo's description, and the shorter limit in lists of posts. */
export const maxAltTextLength = 1000
export const listedAltTextLength = 200
/** Higher limits than any form has. The schema enforces the same limits. */
export const maxTagCount = 30
export const maxTagLength = 50
export const groupNameLengthLimits = { min: 1, max: 50 }
export const maxGroupDescriptionLength = 200
/** The maximum comes from the Appwrite API. */
export const personNameLengthLimits = { min: 2, max: 128 }
export const usernameLengthLimits = { min: 2, max: 30 }
export const maxBioLength = 2200
/** The maximum limits how expensive hashing a password can be. */
export const passwordLengthLimits = { min: 8, max: 256 }
export const maxEmailLength = 254
/** The text is trimmed before counting. */
export const messageLengthLimits = { min: 1, max: 4000 }

/** The text is trimmed before counting. */
export const commentLengthLimits = { min: 1, max: 1000 }

export const explorePageSize = 9
export const homeFeedPageSize = 20
export const homePeoplePageSize = 10
export const maxSearchResultCount = 20
export const listPageSize = 20
export const groupPostsPageSize = 20
export const maxListedConversations = 50
/** How many applicants can wait for one member's answer at the same time. */
export const maxOpenVouchRequests = 3
/** The number of messages in a message request before an answer. The schema enforces it too. */
export const maxUnansweredMessages = 3
/**
 * The number of messages to a recipient who does not follow the sender, before an answer. The schema enforces it too.
 */
export const maxStrangerMessages = 5
export const messagesPageSize = 50

/** In bytes. Larger uploads are sent in chunks and can be resumed. */
export const uploadChunkBytes = 5 * 1024 * 1024
/** The maximum size of an upload in bytes. */
export const uploadMaxBytes = 50 * 1000 * 1000
export const uploadMaxPixels = 50_000_000
/** The decoder needs more memory the longer each side is. */
export const uploadMaxSidePx = 12_000

/**
 * The widths of image variants. A request gets the next larger width. There are few widths, so that caches are
 * effective.
 */
export const imageVariantWidthsPx = [64, 128, 256, 320, 480, 640, 960, 1280, 1920] as const

/** The number of groups from which one block can remove the blocked member. */
export const maxGroupRemovalsPerBlock = 50

/** In UTF-16 units. The text is trimmed before counting. */
export const maxReportNoteLength = 1000
export const maxModerationReasonLength = 500
export const maxAppealLength = 1000
/** The number of further messages of the conversation that a report can include. */
export const maxReportedMessages = 20

/** The number of notifications that one request can mark. */
export const maxMarkedNotifications = 50
