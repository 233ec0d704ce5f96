import type { QueryClient } from '@tanstack/react-query'
import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { offlineHomeState } from './offline-home-state.ts'

/** Reloads the data when the device goes online. */
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
 * Starts the service worker and the sending of waiting posts when the page is idle. At that time the worker finds the
 * app's files in the browser's cache.
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
