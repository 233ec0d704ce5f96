/** The product's limits, each in one place for both sides. */

export const captionLengthLimits = { min: 5, max: 2200 }
export const locationLengthLimits = { min: 1, max: 1000 }
export const maxPostPhotos = 10
export const maxMessagePhotos = 4
/** A photo's description, and as much of it as a list of posts carries. */
export const maxAltTextLength = 1000
export const listedAltTextLength = 200
/** Wider than any form allows; the schema holds the same bounds. */
export const maxTagCount = 30
export const maxTagLength = 50
export const groupNameLengthLimits = { min: 1, max: 50 }
export const maxGroupDescriptionLength = 200
/** The greatest is the dialect's for a name. */
export const personNameLengthLimits = { min: 2, max: 128 }
/** Reading R-15. */
export const usernameLengthLimits = { min: 2, max: 30 }
export const maxBioLength = 2200
/** The upper bound keeps hashing a password from being an attack. */
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
/** Messages to somebody who has to be asked, before an answer; the schema holds it. */
export const maxUnansweredMessages = 3
/** Messages to a recipient who does not follow the sender, before an answer; the schema holds it. */
export const maxStrangerMessages = 5
export const messagesPageSize = 50

/** Bytes. Larger uploads travel in chunks of this size and can be resumed. */
export const uploadChunkBytes = 5 * 1024 * 1024
/** The operator's cap. */
export const uploadMaxBytes = 50 * 1000 * 1000
export const uploadMaxPixels = 50_000_000

/** The widths a picture exists in; a request takes the next larger. Few, so that pictures are made once and cached for many. */
export const imageVariantWidthsPx = [64, 128, 256, 320, 480, 640, 960, 1280, 1920] as const

/** Groups that one block may remove the blocked member from. */
export const maxGroupRemovalsPerBlock = 50

/** JavaScript's string length, after trimming. */
export const maxReportNoteLength = 1000
/** Why a moderator decided something. */
export const maxModerationReasonLength = 500
/** What a member writes who asks for a review. */
export const maxAppealLength = 1000
/** Messages of a conversation that a report may show beside the reported one. */
export const maxReportedMessages = 20

/** Notifications whose marks one request sets. */
export const maxMarkedNotifications = 50
