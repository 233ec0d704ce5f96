/** What goes on behind every page while a member is signed in. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { useUnreadTitle } from '#web/features/chat/use-unread-title.ts'
import { startLiveUpdates } from './live-updates.ts'
import { loadScreensWhenIdle } from './load-screens-when-idle.ts'

export function MemberBackgroundTasks(): null {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(signedInMemberQuery)
  const account = me?.accountId
  useUnreadTitle()
  useEffect(() => (account ? startLiveUpdates(queryClient, account) : undefined), [queryClient, account])
  useEffect(loadScreensWhenIdle, [])
  return null
}
