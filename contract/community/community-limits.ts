/** Used until an operator chooses a name. */
export const defaultCommunityName = 'Juntas'
/** Limits of the operator's texts; the schema enforces them too. */
export const maxCommunityNameLength = 60
export const maxCommunityContactLength = 200
export const houseRuleLimits = { count: 5, length: 300 }
export const maxOpenInvitations = { member: 5, operator: 50 }
/** For one person, and reusable ones by operators. */
export const invitationLifetimeDays = { single: 7, reusable: 30 }
/** Of the question and texts of applications; the schema enforces them too. */
export const maxApplicationQuestionLength = 300
export const maxApplicationAnswerLength = 1000
/** Of what an operator adds to the email about a decision. */
export const maxDecisionSentenceLength = 300
/** Days after the decision until an application is erased. */
export const applicationRetentionDays = 30
export const maxAnnouncementLength = 500
/** Hues beside the product's own; web/styles/colors.css derives the colours, whose contrasts a test computes. */
export const accentNames = ['coral', 'clay', 'olive', 'forest', 'lagoon', 'sea', 'night', 'violet'] as const
export type AccentName = (typeof accentNames)[number]
