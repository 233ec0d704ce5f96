import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { catchUpEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { chatQueryKeys, groupQueryKeys, notificationQueryKeys } from '#web/api/query-keys.ts'
import { getSessionStatus, isSessionEnding, refreshSessionStatus } from '#web/features/account/session.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import {
  applyMessageChangesToCache,
  markMessageListsStale,
} from '#web/features/chat/messages/message-cache-sync.ts'
import { closeMessageOutbox, getMessageOutbox } from '#web/features/chat/messages/use-message-outbox.ts'
import { purgeLeftGroupPosts } from '#web/features/groups/purge-left-group-posts.ts'
import {
  applyVisibilityChanges,
  refreshFollowRequests,
} from '#web/features/people/apply-visibility-changes.ts'
import { purgeGoneMembersFromCache } from '#web/features/people/blocks/purge-member-from-cache.ts'
import {
  type CollectionChange,
  getLiveConnectionState,
  onLiveConnectionStateChange,
  startLiveConnection,
  subscribeToLiveChanges,
} from '#web/realtime/live-connection.ts'

/**
 * Milliseconds. A message and its conversation arrive together, so each batch invalidates queries once, at most
 * `maxBatchDelayMs` late.
 */
const batchDelayMs = 30
const maxBatchDelayMs = 250

const maxSecondsAgo = 600

const invalidatedBy: Partial<Record<CollectionChange['collection'], QueryKey>> = {
  conversations: chatQueryKeys.conversations,
  messages: chatQueryKeys.conversations,
  notifications: notificationQueryKeys.all,
  followRequests: notificationQueryKeys.all,
  namings: notificationQueryKeys.all,
  // These notifications change when a request is decided on another device or a membership changes.
  groupRequests: notificationQueryKeys.all,
  groupMembers: notificationQueryKeys.all,
}

/** @returns a function that stops both */
export function startLiveUpdatesAndOutbox(queryClient: QueryClient, account: string): () => void {
  const outbox = getMessageOutbox(queryClient, account)
  const waiting = new Map<string, QueryKey>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let refreshed = Number.NEGATIVE_INFINITY

  const refresh = () => {
    timer = undefined
    refreshed = performance.now()
    for (const queryKey of waiting.values()) void invalidateQueriesIncludingLoading(queryClient, queryKey)
    waiting.clear()
  }

  const changed = (changes: readonly CollectionChange[]) => {
    applyMessageChangesToCache(queryClient, changes, outbox.arrived)
    const me = queryClient.getQueryData(signedInMemberQuery.queryKey)?.$id
    purgeLeftGroupPosts(queryClient, me, changes)
    purgeGoneMembersFromCache(queryClient, changes)
    applyVisibilityChanges(queryClient, me, changes)
    for (const { collection, document } of changes) {
      const key =
        collection === 'users' && document.$id === me
          ? signedInMemberQuery.queryKey
          : invalidatedBy[collection]
      if (key) waiting.set(String(key), key)
    }
    timer ??= setTimeout(refresh, Math.max(batchDelayMs, refreshed + maxBatchDelayMs - performance.now()))
  }

  const resync = () => {
    markMessageListsStale(queryClient)
    void queryClient.invalidateQueries()
  }

  /** New rows need no catching up, because they load anyway. */
  const mayHide = ({ collection, kind, document }: CollectionChange) =>
    kind === 'delete' ||
    (collection === 'users' && document.$id !== queryClient.getQueryData(signedInMemberQuery.queryKey)?.$id)

  /** Content may have been hidden while the page was loading without a socket. */
  const catchUpWithLoading = () => {
    const ago = Math.ceil(performance.now() / 1000)
    if (ago > maxSecondsAgo) return resync()
    callApiOperation(catchUpEndpoint, { ago, collections: 'users,groupMembers,posts' }).then(
      (missed) => (missed.resync ? resync() : changed(missed.changes.filter(mayHide))),
      resync,
    )
  }

  const session = async () => {
    await refreshSessionStatus()
    if (isSessionEnding() || getSessionStatus() !== 'member') return
    const now = await queryClient.fetchQuery({ ...signedInMemberQuery, staleTime: 0 }).catch(() => null)
    // Another account signed in here.
    if (now && now.accountId !== account) location.reload()
  }

  const unsubscribe = subscribeToLiveChanges({
    changed,
    resync,
    session: () => void session(),
  })
  let connected = false
  const stopWatching = onLiveConnectionStateChange(() => {
    if (getLiveConnectionState() !== 'connected') return
    outbox.flush()
    // `catchUp` does not cover these queries.
    void refreshFollowRequests(queryClient)
    void invalidateQueriesIncludingLoading(queryClient, notificationQueryKeys.all)
    if (connected) return
    connected = true
    // Data loaded before the socket connected may lack changes.
    markMessageListsStale(queryClient)
    for (const queryKey of [chatQueryKeys.conversations, chatQueryKeys.allMessages, groupQueryKeys.options])
      void invalidateQueriesIncludingLoading(queryClient, queryKey)
    catchUpWithLoading()
  })
  const stop = startLiveConnection(account)

  return () => {
    stop()
    unsubscribe()
    stopWatching()
    clearTimeout(timer)
    closeMessageOutbox(queryClient)
  }
}
