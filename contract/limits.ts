export const captionLengthLimits = { min: 5, max: 2200 }
export const locationLengthLimits = { min: 1, max: 1000 }
export const maxPostPhotos = 10
export const maxMessagePhotos = 4
/** Of a photo's description, which lists of posts shorten. */
export const maxAltTextLength = 1000
export const listedAltTextLength = 200
/** The schema enforces these too. */
export const maxTagCount = 30
export const maxTagLength = 50
export const groupNameLengthLimits = { min: 1, max: 50 }
export const maxGroupDescriptionLength = 200
/** The maximum is the Appwrite API's. */
export const personNameLengthLimits = { min: 2, max: 128 }
export const usernameLengthLimits = { min: 2, max: 30 }
export const maxBioLength = 2200
/** The maximum limits the cost of hashing. */
export const passwordLengthLimits = { min: 8, max: 256 }
export const maxEmailLength = 254
/** After trimming. */
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
/** Applicants that can wait for one member's answer at the same time. */
export const maxOpenVouchRequests = 3
/** In a message request. The schema enforces it too. */
export const maxUnansweredMessages = 3
/** To a recipient who does not follow the sender and has not answered. The schema enforces it too. */
export const maxStrangerMessages = 5
export const messagesPageSize = 50

/** Bytes. Larger uploads are sent in chunks and can be resumed. */
export const uploadChunkBytes = 5 * 1024 * 1024
/** Bytes. */
export const uploadMaxBytes = 50 * 1000 * 1000
export const uploadMaxPixels = 50_000_000
/** The decoder needs more memory the longer each side is. */
export const uploadMaxSidePx = 12_000

/** A request gets the next larger width. Few widths make caches effective. */
export const imageVariantWidthsPx = [64, 128, 256, 320, 480, 640, 960, 1280, 1920] as const

/** One block can remove the blocked member from so many groups. */
export const maxGroupRemovalsPerBlock = 50

/** UTF-16 units, after trimming. */
export const maxReportNoteLength = 1000
export const maxModerationReasonLength = 500
export const maxAppealLength = 1000
/** Further messages of the conversation in one report. */
export const maxReportedMessages = 20

/** Per request. */
export const maxMarkedNotifications = 50
