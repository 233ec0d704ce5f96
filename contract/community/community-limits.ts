/** The schema enforces these limits too. */
export const maxCommunityNameLength = 60
export const maxCommunityContactLength = 200
export const houseRuleLimits = { count: 5, length: 300 }
export const maxOpenInvitations = { member: 5, operator: 50 }
/** Only operators create `reusable` invitations. */
export const invitationLifetimeDays = { single: 7, reusable: 30 }
/** The schema enforces these limits too. */
export const maxApplicationQuestionLength = 300
export const maxApplicationAnswerLength = 1000
export const maxDecisionSentenceLength = 300
/** The confirmation link works for the same time, and its email says "three days". */
export const unconfirmedApplicationDays = 3
export const applicationRetentionDays = 30
export const maxAnnouncementLength = 500
/** web/styles/colors.css derives the colours. A test computes their contrasts. */
export const accentNames = ['coral', 'clay', 'olive', 'forest', 'lagoon', 'sea', 'night', 'violet'] as const
export type AccentName = (typeof accentNames)[number]
