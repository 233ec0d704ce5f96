import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Conversation } from '#contract/chat/conversations.ts'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import {
  blockQueryKeys,
  chatQueryKeys,
  notificationQueryKeys,
  peopleQueryKeys,
  postQueryKeys,
} from '#web/api/query-keys.ts'
import { getQueryUpdatedAt } from '#web/features/posts/post-cache.ts'
import { clearPictureMemoryCache } from '#web/ui/images/picture-memory-cache.ts'

/** Past messages and the list of blocked people stay readable. */
const kept: readonly unknown[] = [chatQueryKeys.allMessages[0], blockQueryKeys.all[0]]

/** Removes members that a change reports as deleted. */
export function purgeGoneMembersFromCache(client: QueryClient, changes: readonly CollectionChange[]): void {
  for (const { collection, kind, document } of changes)
    if (collection === 'users' && kind === 'delete') purgeMemberFromCache(client, document.$id)
}

/** Resets the queries about the member, and reloads running queries and other queries that contain the member. */
export function purgeMemberFromCache(client: QueryClient, personId: string): void {
  clearPictureMemoryCache()
  for (const query of client.getQueryCache().getAll()) {
    if (kept.includes(query.queryKey[0])) continue
    if (isAbout(query, personId)) void client.resetQueries({ queryKey: query.queryKey, exact: true })
    else if (query.state.fetchStatus === 'fetching' || mentions(query.state.data, personId)) {
      if (query.state.data !== undefined)
        client.setQueryData(query.queryKey, (data: unknown) => without(data, personId), {
          updatedAt: getQueryUpdatedAt(client, query.queryKey),
        })
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
      // A query that loads for the first time restarts only with a second call.
      if (query.state.data === undefined)
        void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
  }
  // Follow counts and badges may have included this member.
  void client.invalidateQueries({ queryKey: peopleQueryKeys.profiles })
  void client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
  if (client.getQueryData<number>(chatQueryKeys.unread))
    void client.invalidateQueries({ queryKey: chatQueryKeys.unread })
}

function isAbout({ queryKey, state: { data } }: Query, personId: string): boolean {
  const [noun, kind] = queryKey
  if (noun === postQueryKeys.all[0] && kind === 'one') return isRecord(data) && isOf(data, personId)
  return (
    (noun === postQueryKeys.all[0] || noun === peopleQueryKeys.profiles[0]) && queryKey.includes(personId)
  )
}

const isOf = (row: Record<string, unknown>, personId: string): boolean =>
  row.$id === personId ||
  [row.creator, row.user, ...(Array.isArray(row.people) ? row.people : [])].some(
    (person) => isRecord(person) && person.$id === personId,
  )

function without(data: unknown, personId: string): unknown {
  if (Array.isArray(data)) return withoutRows(data, personId)
  if (!isRecord(data)) return data
  if ('pages' in data) {
    const { pages } = data as unknown as InfiniteData<unknown>
    return { ...data, pages: pages.map((page) => without(page, personId)) }
  }
  if (Array.isArray(data.documents)) return { ...data, documents: withoutRows(data.documents, personId) }
  return withoutPerson(data, personId)
}

const withoutRows = (rows: readonly unknown[], personId: string): unknown[] =>
  rows
    .filter((row) => !(isRecord(row) && isOf(row, personId)))
    .map((row) => (isRecord(row) ? withoutPerson(row, personId) : row))

function withoutPerson(row: Record<string, unknown>, personId: string): Record<string, unknown> {
  if (!isRecord(row.other) || row.other.$id !== personId) return row
  const { other, can } = row as unknown as Conversation
  return { ...row, other: { ...other, imageId: null, visible: false }, can: { ...can, write: false } }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mentions(data: unknown, id: string): boolean {
  if (data === id) return true
  return typeof data === 'object' && data !== null && Object.values(data).some((part) => mentions(part, id))
}
