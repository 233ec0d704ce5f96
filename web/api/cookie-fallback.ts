/**
 * Stores the session of a server on another origin, under the Appwrite SDK's key. On the same origin the
 * session is an HttpOnly cookie and nothing is stored here.
 */
const key = 'cookieFallback'

/** Reads `X-Fallback-Cookies`; undefined if absent or an empty list. */
export function readFallbackCookies(): string | undefined {
  const stored = localStorage.getItem(key)
  return stored && stored !== '[]' ? stored : undefined
}

export function storeFallbackCookies(sent: string): void {
  localStorage.setItem(key, sent)
}

export function clearFallbackCookies(): void {
  localStorage.removeItem(key)
}
