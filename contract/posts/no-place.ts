/** Stored for "No place", because every post needs a location. No screen shows it. */
export const noPlace = '—'

export const hasPlace = (location: string): boolean => location.trim() !== noPlace
