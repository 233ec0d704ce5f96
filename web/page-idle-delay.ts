/** Milliseconds before loading what the first page does not need. */
export const pageIdleDelayMs = 5000
