/** The app is suggested from the second day of use, and at most once in sixty days. */
const storageKey = 'juntas:install'
const pauseMs = 60 * 86_400_000

type Stored = {
  firstDay: string
  /** Milliseconds since 1970. */
  shownAt?: number
}

const today = () => new Date().toDateString()

function read(): Stored {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '') as Stored
  } catch {
    return { firstDay: today() }
  }
}

function write(stored: Stored): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(stored))
  } catch {
    // Without storage, every day counts as the first, so no suggestion appears.
  }
}

export const recordDayOfUse = (): void => write(read())

export function isInstallHintDue(): boolean {
  const { firstDay, shownAt } = read()
  return firstDay !== today() && (shownAt === undefined || shownAt < Date.now() - pauseMs)
}

export const recordInstallHintShown = (): void => write({ ...read(), shownAt: Date.now() })
