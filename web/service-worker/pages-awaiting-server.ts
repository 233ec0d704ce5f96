import { serverAnsweredMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

/** Pages opened from the cache and not yet answered by the server. */
export const pagesAwaitingServer = new Set<string>()

worker.addEventListener('message', ({ data, source }) => {
  if (data === serverAnsweredMessage && source && 'id' in source)
    pagesAwaitingServer.delete(String(source.id))
})
