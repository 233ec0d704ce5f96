import { serverAnsweredMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

/** Ids of pages opened from the cache, until the server answers them. */
export const unansweredPages = new Set<string>()

worker.addEventListener('message', ({ data, source }) => {
  if (data === serverAnsweredMessage && source && 'id' in source) unansweredPages.delete(String(source.id))
})
