export const pageIdleDelayMs = 5000
