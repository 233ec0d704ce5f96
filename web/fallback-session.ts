/**
 * The session a foreign server may hand to scripts, kept where the dialect's clients keep it (spec §7, reading D-08). On our own
 * origin the session is an HttpOnly cookie and nothing is stored here.
 */
const key = 'cookieFallback'

/** What travels as `X-Fallback-Cookies`; nothing when absent or an empty list (spec §2). */
export function storedFallback(): string | undefined {
  const stored = localStorage.getItem(key)
  return stored && stored !== '[]' ? stored : undefined
}

export function storeFallback(sent: string): void {
  localStorage.setItem(key, sent)
}

export function forgetFallback(): void {
  localStorage.removeItem(key)
}
