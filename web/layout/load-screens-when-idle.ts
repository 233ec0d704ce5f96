import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { loadAllStyles } from '#web/styles/load-all-styles.ts'

/** What loads with its first use: the whole stylesheet, the code of the screens, and parts of them that come after the first paint. */
const parts: (() => Promise<unknown>)[] = [
  loadAllStyles,
  ...Object.values(
    import.meta.glob([
      '../features/**/*-screen{,s}.tsx',
      // Named for themselves they would not come in one part with each other.
      '!../features/{chat,message-requests,posts/form}/*-screen.tsx',
      '!../features/account/{new-password,recovery,sign-in-link,undo-email,verify-email}-screen.tsx',
    ]),
  ),
  () => import('#web/features/chat/chat-button.tsx'),
  () => import('#web/features/posts/deferred-post-parts.ts'),
  () => import('#web/features/posts/new-posts-notice.tsx'),
  () => import('#web/ui/toast/toaster.tsx'),
]

/** How long one part waits for the browser to be idle (ms): all of them come within the first minute. */
const idleTimeoutMs = 1000

/**
 * Loads the code of every screen while there is nothing else to do, one part after another, so that a member who goes
 * offline can still go everywhere. Not for members who save data. What does not come is tried again when the browser is
 * online again.
 * @returns stops
 */
export function loadScreensWhenIdle(): () => void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData) return () => {}
  let missing = parts
  let stopped = false
  let running = false

  async function run() {
    if (running) return
    running = true
    for (const load of missing) {
      await idle()
      if (stopped || !navigator.onLine) break
      await load().then(
        () => {
          missing = missing.filter((part) => part !== load)
        },
        () => {},
      )
    }
    running = false
  }

  const timer = setTimeout(run, pageIdleDelayMs)
  addEventListener('online', run)
  return () => {
    stopped = true
    clearTimeout(timer)
    removeEventListener('online', run)
  }
}

/** Safari has no idle callbacks. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: idleTimeoutMs })
    else setTimeout(resolve, idleTimeoutMs)
  })
