/** Posts with "No place" store this text, because every post needs a location. No screen shows it. */
export const noPlace = '—'

export const hasPlace = (location: string): boolean => location.trim() !== noPlace
