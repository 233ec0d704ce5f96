/** Names what the browser keeps of the device's appearance: the one thing that stays when a member signs out. */
export const appearanceStorageKey = 'appearance'
