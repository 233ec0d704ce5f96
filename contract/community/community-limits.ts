/** The community's name before an operator chooses one. */
export const defaultCommunityName = 'Juntas'
/** Limits of the operator's texts. The schema enforces them too. */
export const maxCommunityNameLength = 60
export const maxCommunityContactLength = 200
export const houseRuleLimits = { count: 5, length: 300 }
export const maxOpenInvitations = { member: 5, operator: 50 }
/** How long an invitation is open: one for a single person, and a reusable one by an operator. */
export const invitationLifetimeDays = { single: 7, reusable: 30 }
/** Limits of the question and the answers of applications. The schema enforces them too. */
export const maxApplicationQuestionLength = 300
export const maxApplicationAnswerLength = 1000
/** The limit of the sentence that an operator adds to the email about a decision. */
export const maxDecisionSentenceLength = 300
/** Days after the decision after which an application is erased. */
export const applicationRetentionDays = 30
export const maxAnnouncementLength = 500
/**
 * The hues that an operator can choose instead of the product's own. web/styles/colors.css derives the colours, and a
 * test computes their contrasts.
 */
export const accentNames = ['coral', 'clay', 'olive', 'forest', 'lagoon', 'sea', 'night', 'violet'] as const
export type AccentName = (typeof accentNames)[number]
