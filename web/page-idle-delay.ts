/** Milliseconds before the rest loads. */
export const pageIdleDelayMs = 5000
