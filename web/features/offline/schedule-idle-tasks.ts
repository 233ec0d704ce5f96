import type { QueryClient } from '@tanstack/react-query'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { onOfflineHomeChange, takeOutdatedData } from './offline-home-state.ts'

export function refetchOnceServerAnswers(client: QueryClient): () => void {
  const reload = () => {
    if (takeOutdatedData()) void invalidateQueriesIncludingLoading(client, [])
  }
  reload()
  return onOfflineHomeChange(reload)
}

/** Waits until the page is idle, when the worker finds the app's files in the browser's cache. */
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
