export const captionLengthLimits = { min: 5, max: 2200 }
export const locationLengthLimits = { min: 1, max: 1000 }
export const maxPostPhotos = 10
export const maxMessagePhotos = 4
export const maxAltTextLength = 1000
export const listedAltTextLength = 200
/** The schema enforces these limits too. */
export const maxTagCount = 30
export const maxTagLength = 50
export const groupNameLengthLimits = { min: 1, max: 50 }
export const maxGroupDescriptionLength = 200
/** The maximum is that of the Appwrite API. */
export const personNameLengthLimits = { min: 2, max: 128 }
export const usernameLengthLimits = { min: 2, max: 30 }
export const maxBioLength = 2200
export const passwordLengthLimits = { min: 8, max: 256 }
export const maxEmailLength = 254
/** The length is counted after trimming. */
export const messageLengthLimits = { min: 1, max: 4000 }

/** The length is counted after trimming. */
export const commentLengthLimits = { min: 1, max: 1000 }

export const explorePageSize = 9
export const homeFeedPageSize = 20
export const homePeoplePageSize = 10
export const maxSearchResultCount = 20
export const listPageSize = 20
export const groupPostsPageSize = 20
export const maxListedConversations = 50
/** The number of applicants that can wait for one member's answer. */
export const maxOpenVouchRequests = 3
/** The number of messages in a message request. The schema enforces it too. */
export const maxUnansweredMessages = 3
/** The limit applies until a recipient who does not follow the sender answers. The schema enforces it too. */
export const maxStrangerMessages = 5
export const messagesPageSize = 50

/** Larger uploads than this are sent in chunks. */
export const uploadChunkBytes = 5 * 1024 * 1024
export const uploadMaxBytes = 50 * 1000 * 1000
export const uploadMaxPixels = 50_000_000
/** Longer sides would need more memory in the decoder. */
export const uploadMaxSidePx = 12_000

/** Requests get the next larger width. Few widths make caches effective. */
export const imageVariantWidthsPx = [64, 128, 256, 320, 480, 640, 960, 1280, 1920] as const

/** The number of groups from which one block can remove the blocked member. */
export const maxGroupRemovalsPerBlock = 50

/** UTF-16 units, after trimming. */
export const maxReportNoteLength = 1000
export const maxModerationReasonLength = 500
export const maxAppealLength = 1000
/** The number of messages besides the reported one. */
export const maxReportedMessages = 20

export const maxMarkedNotifications = 50
