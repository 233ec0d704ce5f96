/** The location that the post form stores for "No place", because every post needs one. No screen shows it. */
export const noPlace = '—'

export const hasPlace = (location: string): boolean => location.trim() !== noPlace
