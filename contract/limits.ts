/** Limits shared by server and web. */

export const captionLengthLimits = { min: 5, max: 2200 }
export const locationLengthLimits = { min: 1, max: 1000 }
export const maxPostPhotos = 10
export const maxMessagePhotos = 4
/** A photo description's limit, and the shorter limit in lists of posts. */
export const maxAltTextLength = 1000
export const listedAltTextLength = 200
/** Wider than any form allows; the schema enforces the same limits. */
export const maxTagCount = 30
export const maxTagLength = 50
export const groupNameLengthLimits = { min: 1, max: 50 }
export const maxGroupDescriptionLength = 200
/** The maximum comes from the Appwrite API. */
export const personNameLengthLimits = { min: 2, max: 128 }
/** Reading R-15. */
export const usernameLengthLimits = { min: 2, max: 30 }
export const maxBioLength = 2200
/** The maximum bounds the cost of hashing. */
export const passwordLengthLimits = { min: 8, max: 256 }
export const maxEmailLength = 254
/** Reading R-10, after trimming. */
export const messageLengthLimits = { min: 1, max: 4000 }

/** After trimming. */
export const commentLengthLimits = { min: 1, max: 1000 }

export const explorePageSize = 9
export const homeFeedPageSize = 20
export const homePeoplePageSize = 10
export const maxSearchResultCount = 20
export const listPageSize = 20
export const groupPostsPageSize = 20
export const maxListedConversations = 50
/** Per message request, before an answer; the schema enforces it. */
export const maxUnansweredMessages = 3
/** To a recipient who does not follow the sender, before an answer; the schema enforces it. */
export const maxStrangerMessages = 5
export const messagesPageSize = 50

/** Bytes. Larger uploads are chunked and resumable. */
export const uploadChunkBytes = 5 * 1024 * 1024
/** The operator's limit. */
export const uploadMaxBytes = 50 * 1000 * 1000
export const uploadMaxPixels = 50_000_000
/** Decoder memory grows with each side. */
export const uploadMaxSidePx = 12_000

/** Widths of image variants; a request gets the next larger. Few of them keep caches effective. */
export const imageVariantWidthsPx = [64, 128, 256, 320, 480, 640, 960, 1280, 1920] as const

/** Groups from which one block can remove the blocked member. */
export const maxGroupRemovalsPerBlock = 50

/** UTF-16 units, after trimming. */
export const maxReportNoteLength = 1000
export const maxModerationReasonLength = 500
export const maxAppealLength = 1000
/** Further messages of the conversation that a report can include. */
export const maxReportedMessages = 20

/** Notifications that one request can mark. */
export const maxMarkedNotifications = 50
