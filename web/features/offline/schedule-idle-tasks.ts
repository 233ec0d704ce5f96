import type { QueryClient } from '@tanstack/react-query'
import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { offlineHomeState } from './offline-home-state.ts'

/** Shows what is there now in place of what was kept, once the browser is online again. */
export function reloadWhenOnline(client: QueryClient): () => void {
  function reload() {
    if (!offlineHomeState.sentence) return
    offlineHomeState.sentence = undefined
    offlineHomeState.leavesOutGroups = undefined
    void client.invalidateQueries()
  }
  if (navigator.onLine) reload()
  addEventListener('online', reload)
  return () => removeEventListener('online', reload)
}

/**
 * Starts the service worker and the outbox of posts once the page has had the connection to itself: what the worker keeps comes out of
 * the browser's cache then.
 */
export function scheduleIdleTasks(client: QueryClient): () => void {
  let stopped = false
  let stop = () => {}
  async function start() {
    try {
      const { startIdleTasks } = await import('./idle-tasks.ts')
      if (!stopped) stop = startIdleTasks(client)
    } catch {
      addEventListener('online', start, { once: true })
    }
  }
  const timer = setTimeout(start, pageIdleDelayMs)
  return () => {
    stopped = true
    clearTimeout(timer)
    removeEventListener('online', start)
    stop()
  }
}
