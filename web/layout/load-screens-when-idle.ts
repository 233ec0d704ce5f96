import { pageIdleDelayMs } from '#web/page-idle-delay.ts'

/**
 * Code that otherwise loads on first use: screens, and parts loaded after the first
 * paint.
 */
const parts: (() => Promise<unknown>)[] = [
  ...Object.values(
    import.meta.glob([
      '../features/**/*-screen{,s}.tsx',
      // Operators are few, and need a connection.
      '!../features/admin/**',
      // Listing them separately would split their common chunk.
      '!../features/{chat,message-requests,posts/form}/*-screen.tsx',
      '!../features/account/{new-password,recovery,sign-in-link,undo-email,verify-email}-screen.tsx',
    ]),
  ),
  () => import('#web/features/chat/chat-button.tsx'),
  () => import('#web/features/posts/deferred-post-parts.ts'),
  () => import('#web/features/posts/new-posts-notice.tsx'),
  () => import('#web/ui/toast/toaster.tsx'),
]

/** Milliseconds to wait for each part: all load within the first minute. */
const idleTimeoutMs = 1000

/**
 * Loads every screen's code while the browser is idle, so that a member who goes offline can still navigate.
 * Skipped for members who save data. Failed parts are retried once online.
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
