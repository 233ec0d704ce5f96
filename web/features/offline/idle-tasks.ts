import type { QueryClient } from '@tanstack/react-query'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { startPostOutboxSender } from '#web/features/posts/outbox/post-outbox-sender.ts'
import { startServiceWorker } from './start-service-worker.ts'

export function startIdleTasks(client: QueryClient): () => void {
  let stopped = false
  let stopOutbox = () => {}
  const stopWorker = startServiceWorker(client)
  void client.ensureQueryData(signedInMemberQuery).then(
    (me) => {
      if (!stopped) stopOutbox = startPostOutboxSender(client, me.id)
    },
    () => {},
  )
  return () => {
    stopped = true
    stopWorker()
    stopOutbox()
  }
}
