/**
 * Remembers in this tab which page sent the member to a provider, because the path of that page may contain
 * an invitation code.
 */
const storageKey = 'juntas:page-before-provider'

export function rememberPageBeforeProvider(): void {
  try {
    sessionStorage.setItem(storageKey, location.pathname)
  } catch {
    // If storage is full, the sign-in page shows the error.
  }
}

/** @returns the remembered page, which is then forgotten; null if no page is remembered */
export function takePageBeforeProvider(): string | null {
  const page = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return page
}
