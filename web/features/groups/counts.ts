/** 'member' for one, otherwise 'members', also for none (conflict C-64). */
export const countMembers = (count: number): string => `${count} ${count === 1 ? 'member' : 'members'}`

/** As a badge has room for it. */
export const badgeCount = (count: number): string => (count > 99 ? '99+' : String(count))
