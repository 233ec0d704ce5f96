/** Code and data that the first page does not need load after this delay (ms). */
export const pageIdleDelayMs = 5000
