/** Lets a new version take over at the member's word; without it, it takes over when no page of the version before is open. */
import { skipWaitingMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('message', (event) => {
  if (event.data === skipWaitingMessage) event.waitUntil(worker.skipWaiting())
})
