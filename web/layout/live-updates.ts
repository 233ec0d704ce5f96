/** What the socket tells, brought to what every page of a member shows; a screen that shows more listens for itself. */
import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askAgain } from '#web/ask-again.ts'
import { meQuery } from '#web/features/account/queries.ts'
import { checkSession } from '#web/features/account/session.ts'
import { applyMessages, tearThreads } from '#web/features/chat/live-messages.ts'
import { chatKeys } from '#web/features/chat/queries.ts'
import { closeOutbox, outboxOf } from '#web/features/chat/sending.ts'
import { forgetLeftGroups } from '#web/features/groups/left-groups.ts'
import { type Changed, connection, onConnection, onLive, startLive } from '#web/live.ts'

/** A message comes with its conversation: what they make old is asked for once, and in a burst every so often. */
const breath = 30
const burst = 250

const madeOld: Partial<Record<Changed['collection'], QueryKey>> = {
  conversations: chatKeys.conversations,
  messages: chatKeys.conversations,
}

export function LiveUpdates(): null {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const account = me?.accountId
  useEffect(() => (account ? follow(queryClient, account) : undefined), [queryClient, account])
  return null
}

/**
 * Keeps what is loaded up to date, and sends what waits, for as long as a member is here.
 * @returns ends it
 */
export function follow(queryClient: QueryClient, account: string): () => void {
  const outbox = outboxOf(queryClient, account)
  const waiting = new Map<string, QueryKey>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let refreshed = Number.NEGATIVE_INFINITY

  const refresh = () => {
    timer = undefined
    refreshed = performance.now()
    for (const queryKey of waiting.values()) void askAgain(queryClient, queryKey)
    waiting.clear()
  }

  const changed = (changes: readonly Changed[]) => {
    applyMessages(queryClient, changes, outbox.arrived)
    forgetLeftGroups(queryClient, queryClient.getQueryData(meQuery.queryKey)?.$id, changes)
    for (const { collection, document } of changes) {
      const key =
        collection === 'users' && document.accountId === account ? meQuery.queryKey : madeOld[collection]
      if (key) waiting.set(String(key), key)
    }
    timer ??= setTimeout(refresh, Math.max(breath, refreshed + burst - performance.now()))
  }

  const session = async () => {
    await checkSession()
    const now = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => null)
    // Somebody else has signed in in this browser: nothing here is hers.
    if (now && now.accountId !== account) location.reload()
  }

  const stopHearing = onLive({
    changed,
    resync: () => {
      tearThreads(queryClient)
      void queryClient.invalidateQueries()
    },
    session: () => void session(),
  })
  let connected = false
  const stopWatching = onConnection(() => {
    if (connection() !== 'connected') return
    outbox.flush()
    if (connected) return
    connected = true
    // What was loaded before the socket was there may have missed something.
    tearThreads(queryClient)
    for (const queryKey of [chatKeys.conversations, chatKeys.allMessages])
      void askAgain(queryClient, queryKey)
  })
  const stop = startLive(account)

  return () => {
    stop()
    stopHearing()
    stopWatching()
    clearTimeout(timer)
    closeOutbox(queryClient)
  }
}
