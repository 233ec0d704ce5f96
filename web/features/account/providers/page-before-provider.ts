/** Remembers in this tab which page sent the member to a provider: an invitation's code is in its path. */
const storageKey = 'juntas:page-before-provider'

export function rememberPageBeforeProvider(): void {
  try {
    sessionStorage.setItem(storageKey, location.pathname)
  } catch {
    // If storage is full, the sign-in page shows the error.
  }
}

/** @returns the page and forgets it; null if there is none */
export function takePageBeforeProvider(): string | null {
  const page = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return page
}
