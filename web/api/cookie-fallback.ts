/**
 * Stores the session a server of another origin hands to scripts, under the key the Appwrite SDK uses. On the same
 * origin the session is an HttpOnly cookie, and nothing is stored here.
 */
const key = 'cookieFallback'

/** Reads the value of `X-Fallback-Cookies`; undefined when absent or an empty list. */
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
