/**
 * Returns how long a lost socket waits before its next attempt.
 * @param attempt 1 for the first attempt since there was a connection
 * @returns milliseconds
 */
export function getReconnectDelayMs(attempt: number): number {
  if (attempt <= 5) return 1000
  if (attempt <= 15) return 5000
  if (attempt <= 100) return 10_000
  return 60_000
}
