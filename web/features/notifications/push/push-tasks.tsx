import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pushStateQueryKey } from '#web/api/query-keys.ts'
import { restorePushSubscription } from './push-subscription.ts'
import { useAppBadge } from './use-app-badge.ts'

/** Keeps this browser's subscription alive and the number on the app's icon true; renders nothing. */
export function PushTasks() {
  const queryClient = useQueryClient()
  useAppBadge()
  useEffect(() => {
    // A push service that is out of reach is asked again at the next start.
    restorePushSubscription().then(
      (healed) => void (healed && queryClient.invalidateQueries({ queryKey: pushStateQueryKey })),
      () => {},
    )
  }, [queryClient])
  return null
}
