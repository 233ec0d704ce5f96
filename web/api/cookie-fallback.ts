/** For a server on another origin, under the Appwrite SDK's key. The same origin uses an HttpOnly cookie instead. */
const key = 'cookieFallback'

/** The stored `X-Fallback-Cookies`. Undefined if absent or an empty list. */
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
