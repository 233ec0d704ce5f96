/** The only storage that remains after signing out. */
export const appearanceStorageKey = 'appearance'
