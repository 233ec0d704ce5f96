/** The name until an operator chooses another. */
export const defaultCommunityName = 'Juntas'
/** Limits of the texts that an operator sets for the community; the schema holds them too. */
export const maxCommunityNameLength = 60
export const maxCommunityContactLength = 200
export const houseRuleLimits = { count: 5, length: 300 }
/** Open invitations of one person, at a time. */
export const maxOpenInvitations = { member: 5, operator: 50 }
/** An invitation for one person, and an operator's reusable one. */
export const invitationLifetimeDays = { single: 7, reusable: 30 }
