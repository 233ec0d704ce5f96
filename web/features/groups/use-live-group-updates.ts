import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { postQueryKeys } from '#web/api/query-keys.ts'
import {
  type CollectionChange,
  getLiveConnectionState,
  onLiveConnectionStateChange,
  subscribeToLiveChanges,
} from '#web/realtime/live-connection.ts'
import { invalidateGroups } from './group-cache.ts'

const ofGroups = ['groups', 'groupMembers', 'groupRequests']

export function useLiveGroupUpdates(): void {
  const client = useQueryClient()
  useEffect(() => {
    const reload = () => {
      void invalidateGroups(client)
      void client.invalidateQueries({ queryKey: postQueryKeys.ofGroups })
    }
    // The page missed changes before the first connection.
    let missedChanges = getLiveConnectionState() !== 'connected'
    const stopWatching = onLiveConnectionStateChange(() => {
      if (!missedChanges || getLiveConnectionState() !== 'connected') return
      missedChanges = false
      reload()
    })
    const unsubscribe = subscribeToLiveChanges({
      changed: (changes) => follow(client, changes),
      resync: reload,
    })
    return () => {
      stopWatching()
      unsubscribe()
    }
  }, [client])
}

/** Reloads groups, because only the server knows what the member may see. */
function follow(client: QueryClient, changes: readonly CollectionChange[]) {
  if (changes.some(({ collection }) => ofGroups.includes(collection))) void invalidateGroups(client)
  const touched = changes.flatMap(({ collection, document }) =>
    collection === 'posts' && document.groupId !== null ? [document.groupId] : [],
  )
  for (const groupId of new Set(touched))
    void client.invalidateQueries({ queryKey: postQueryKeys.ofGroup(groupId), exact: true })
}
