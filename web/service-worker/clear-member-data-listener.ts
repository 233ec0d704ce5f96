import { clearMemberDataOnDevice } from './clear-member-data.ts'
import { clearMemberDataMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('message', (event) => {
  if (event.data === clearMemberDataMessage) event.waitUntil(clearMemberDataOnDevice())
})
