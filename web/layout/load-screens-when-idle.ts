import { pageIdleDelayMs } from '#web/page-idle-delay.ts'

/** The screens, and the parts that load after the first paint. */
const parts: (() => Promise<unknown>)[] = [
  ...Object.values(
    import.meta.glob([
      '../features/**/*-screen{,s}.tsx',
      // Few members are operators, and these screens need a connection anyway.
      '!../features/admin/**',
      // Listing these screens would split the chunk that they share.
      '!../features/{chat,message-requests,posts/form}/*-screen.tsx',
      '!../features/account/{new-password,recovery,sign-in-link,undo-email,verify-email}-screen.tsx',
    ]),
  ),
  () => import('#web/features/chat/chat-button.tsx'),
  () => import('#web/features/posts/deferred-post-parts.ts'),
  () => import('#web/features/posts/new-posts-notice.tsx'),
  () => import('#web/ui/toast/toaster.tsx'),
]

/** The longest wait (ms) before each part, so all parts load within the first minute. */
const idleTimeoutMs = 1000

/**
 * Loads all screens, so that a member who goes offline can still navigate. Loads nothing if the data saver is on.
 * Retries failed parts when the device goes online.
 * @returns a function that stops the loading
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
