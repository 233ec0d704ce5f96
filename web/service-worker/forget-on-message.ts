/** Forgets the member when a page says so that may not live to do it. */
import { forgetMember } from './forget-member.ts'
import { forgetMemberMessage } from './messages.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('message', (event) => {
  if (event.data === forgetMemberMessage) event.waitUntil(forgetMember())
})
