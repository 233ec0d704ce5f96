import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ringingQueryKey } from '#web/api/query-keys.ts'
import { healSubscription } from './browser-subscription.ts'
import { useAppBadge } from './use-app-badge.ts'

/** Keeps this browser's subscription alive and the number on the app's icon true; renders nothing. */
export function PushTasks() {
  const queryClient = useQueryClient()
  useAppBadge()
  useEffect(() => {
    // A push service that is out of reach is asked again at the next start.
    healSubscription().then(
      (healed) => void (healed && queryClient.invalidateQueries({ queryKey: ringingQueryKey })),
      () => {},
    )
  }, [queryClient])
  return null
}
