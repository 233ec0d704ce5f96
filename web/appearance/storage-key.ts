/** The only storage key that is kept after signing out. */
export const appearanceStorageKey = 'appearance'
