import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createQueryClient } from '#web/api/query-client.ts'
import {
  clearLocalSession,
  getSessionStatus,
  subscribeToSessionStatus,
} from '#web/features/account/session.ts'

/**
 * The client of a render that React has not committed. React may throw such a render away, with its state. The next
 * render uses the same client, because the client's queries have taken the prefetched responses, which exist only once.
 */
let uncommitted: QueryClient | undefined

subscribeToSessionStatus(() => {
  if (getSessionStatus() === 'visitor') uncommitted = undefined
})

/** The client belongs to one session: signing out drops all loaded data before another person uses the device. */
export function useMemberQueryClient(): QueryClient {
  const [client] = useState(() => {
    uncommitted ??= createQueryClient(clearLocalSession)
    return uncommitted
  })
  useEffect(() => {
    if (uncommitted === client) uncommitted = undefined
  }, [client])
  return client
}
