/** Only this key survives signing out. */
export const appearanceStorageKey = 'appearance'
