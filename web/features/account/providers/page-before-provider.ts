/** Remembered in this tab, because the path may contain an invitation code. */
const storageKey = 'juntas:page-before-provider'

export function rememberPageBeforeProvider(): void {
  try {
    sessionStorage.setItem(storageKey, location.pathname)
  } catch {
    // With full storage, the sign-in page shows the error.
  }
}

/** Forgets the page. */
export function takePageBeforeProvider(): string | null {
  const page = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return page
}
