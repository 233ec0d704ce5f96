/**
 * @param attempt 1 for the first attempt after the loss
 * @returns milliseconds
 */
export function getReconnectDelayMs(attempt: number): number {
  if (attempt <= 5) return 1000
  if (attempt <= 15) return 5000
  if (attempt <= 100) return 10_000
  return 60_000
}
