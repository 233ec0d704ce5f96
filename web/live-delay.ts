/**
 * How long a lost socket waits before its next attempt (spec §4 Live updates).
 *
 * @param attempt 1 for the first one since there was a connection
 * @returns milliseconds
 */
export function reconnectDelay(attempt: number): number {
  if (attempt <= 5) return 1000
  if (attempt <= 15) return 5000
  if (attempt <= 100) return 10_000
  return 60_000
}
