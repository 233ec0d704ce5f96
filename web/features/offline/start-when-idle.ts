import type { QueryClient } from '@tanstack/react-query'
import { offlineState } from './offline-state.ts'

/** How long the first page has the connection to itself (ms), as before the other screens are loaded. */
const startDelayMs = 5000

/** Shows what is there now in place of what was kept, once the browser is online again. */
export function reloadWhenOnline(client: QueryClient): () => void {
  function reload() {
    if (!offlineState.sentence) return
    offlineState.sentence = undefined
    offlineState.leavesOutGroups = undefined
    void client.invalidateQueries()
  }
  if (navigator.onLine) reload()
  addEventListener('online', reload)
  return () => removeEventListener('online', reload)
}

/** Starts the service worker once the page has had the connection to itself: what it keeps comes out of the browser's cache then. */
export function startServiceWorkerWhenIdle(client: QueryClient): () => void {
  let stop = () => clearTimeout(timer)
  const timer = setTimeout(async () => {
    let stopped = false
    stop = () => {
      stopped = true
    }
    const loaded = await import('./service-worker.ts').catch(() => undefined)
    if (loaded && !stopped) stop = loaded.startServiceWorker(client)
  }, startDelayMs)
  return () => stop()
}
