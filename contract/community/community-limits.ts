/** Of what the operator says of the place; the schema holds them too. */
export const maxCommunityNameLength = 60
export const maxCommunityContactLength = 200
export const houseRuleLimits = { count: 5, length: 300 }
/** A member's, at a time. */
export const maxOpenInvitations = 5
