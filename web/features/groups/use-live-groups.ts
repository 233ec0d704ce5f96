import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Changed, connection, onConnection, onLive } from '#web/live.ts'
import { groupKeys, groupsChanged } from './cache.ts'

const ofGroups = ['groups', 'groupMembers', 'groupRequests']

/** While a page of groups is open, it follows what others do: requests, decisions, members, posts. */
export function useLiveGroups(): void {
  const client = useQueryClient()
  useEffect(() => {
    const reload = () => {
      void groupsChanged(client)
      void client.invalidateQueries({ queryKey: groupKeys.anyPosts })
    }
    // What happened between loading the page and hearing the first change was heard by nobody.
    let deaf = connection() !== 'connected'
    const stopWatching = onConnection(() => {
      if (!deaf || connection() !== 'connected') return
      deaf = false
      reload()
    })
    const stopHearing = onLive({ changed: (changes) => follow(client, changes), resync: reload })
    return () => {
      stopWatching()
      stopHearing()
    }
  }, [client])
}

/** What changed is asked for again instead of being put together here: only the server knows what she may see of it. */
function follow(client: QueryClient, changes: readonly Changed[]) {
  if (changes.some(({ collection }) => ofGroups.includes(collection))) void groupsChanged(client)
  const touched = changes.filter(({ collection }) => collection === 'posts')
  for (const groupId of new Set(touched.map(({ document }) => document.groupId))) {
    if (typeof groupId === 'string')
      void client.invalidateQueries({ queryKey: groupKeys.posts(groupId), exact: true })
  }
}
