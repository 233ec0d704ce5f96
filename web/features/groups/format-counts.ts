/** Formats a number of members: 'member' for one, otherwise 'members', also for none. */
export const formatMemberCount = (count: number): string => `${count} ${count === 1 ? 'member' : 'members'}`

/** Shortens a number to what a badge has room for. */
export const formatBadgeCount = (count: number): string => (count > 99 ? '99+' : String(count))
