import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pushStateQueryKey } from '#web/api/query-keys.ts'
import { restorePushSubscription } from './push-subscription.ts'
import { useAppBadge } from './use-app-badge.ts'

export function PushTasks() {
  const queryClient = useQueryClient()
  useAppBadge()
  useEffect(() => {
    restorePushSubscription().then(
      (healed) => void (healed && queryClient.invalidateQueries({ queryKey: pushStateQueryKey })),
      () => {},
    )
  }, [queryClient])
  return null
}
