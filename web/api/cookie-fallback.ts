/**
 * Used if the server is on another origin, with the Appwrite SDK's key. On the same origin, the session is an
 * HttpOnly cookie.
 */
const key = 'cookieFallback'

/** Returns the stored `X-Fallback-Cookies`, or undefined if they are absent or an empty list. */
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
