/** What a member's page does once it has had the connection to itself. */
import type { QueryClient } from '@tanstack/react-query'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { startPostOutbox } from '#web/features/posts/outbox/post-outbox.ts'
import { startServiceWorker } from './service-worker.ts'

/** Starts the service worker, and sends the posts that wait. @returns stops */
export function startIdleTasks(client: QueryClient): () => void {
  const stopWorker = startServiceWorker(client)
  const me = client.getQueryData(signedInMemberQuery.queryKey)
  const stopOutbox = me && startPostOutbox(client, me.id)
  return () => {
    stopWorker()
    stopOutbox?.()
  }
}
