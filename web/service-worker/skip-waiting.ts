/** Without this message, the worker waits until no page of the old version is open. */
import { skipWaitingMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) event.waitUntil(worker.skipWaiting())
})
