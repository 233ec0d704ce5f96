/**
 * Activates the waiting worker when the member accepts the update. Without that, the worker is activated when no page
 * of the old version is open.
 */
import { skipWaitingMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) event.waitUntil(worker.skipWaiting())
})
