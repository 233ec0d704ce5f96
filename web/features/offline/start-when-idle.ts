import type { QueryClient } from '@tanstack/react-query'
import { keptHomeState } from './kept-home-state.ts'

/** How long the first page has the connection to itself (ms), as before the other screens are loaded. */
const startDelayMs = 5000

/** Shows what is there now in place of what was kept, once the browser is online again. */
export function reloadWhenOnline(client: QueryClient): () => void {
  function reload() {
    if (!keptHomeState.sentence) return
    keptHomeState.sentence = undefined
    keptHomeState.leavesOutGroups = undefined
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
export function startTasksWhenIdle(client: QueryClient): () => void {
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
  const timer = setTimeout(start, startDelayMs)
  return () => {
    stopped = true
    clearTimeout(timer)
    removeEventListener('online', start)
    stop()
  }
}
