/** When the page may propose to be installed: from the second day of use on, and once in sixty days. */
const storageKey = 'juntas:install'
const pauseMs = 60 * 86_400_000

type Stored = {
  /** The day on which the member used Juntas in this browser first, in its own time zone. */
  firstDay: string
  /** When the hint was shown last, in milliseconds since 1970. */
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
    // Where nothing is stored, every day is the first, and nothing is proposed.
  }
}

export const recordDayOfUse = (): void => write(read())

export function isInstallHintDue(): boolean {
  const { firstDay, shownAt } = read()
  return firstDay !== today() && (shownAt === undefined || shownAt < Date.now() - pauseMs)
}

export const recordInstallHintShown = (): void => write({ ...read(), shownAt: Date.now() })
