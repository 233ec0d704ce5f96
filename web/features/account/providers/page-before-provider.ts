/** This tab remembers the page, because its path may contain an invitation code. */
const storageKey = 'juntas:page-before-provider'

export function rememberPageBeforeProvider(): void {
  try {
    sessionStorage.setItem(storageKey, location.pathname)
  } catch {
    // If storage is full, the sign-in page shows the error.
  }
}

export function takePageBeforeProvider(): string | null {
  const page = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return page
}
