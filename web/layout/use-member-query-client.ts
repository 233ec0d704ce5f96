import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createQueryClient } from '#web/api/query-client.ts'
import {
  clearLocalSession,
  getSessionStatus,
  subscribeToSessionStatus,
} from '#web/features/account/session.ts'

/**
 * React may throw a first render away, with its state. The next render then uses the same client, because the client's
 * queries have taken the prefetched answers, which exist only once.
 */
let unmounted: QueryClient | undefined

subscribeToSessionStatus(() => {
  if (getSessionStatus() === 'visitor') unmounted = undefined
})

/** The client belongs to one session: signing out drops all loaded data before another person uses the device. */
export function useMemberQueryClient(): QueryClient {
  const [client] = useState(() => {
    unmounted ??= createQueryClient(clearLocalSession)
    return unmounted
  })
  useEffect(() => {
    if (unmounted === client) unmounted = undefined
  }, [client])
  return client
}
