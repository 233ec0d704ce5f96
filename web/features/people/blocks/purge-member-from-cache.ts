/** Removes a member who is out of sight from the query cache: one who closed the account, or who is behind a block. */

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

/** The messages that were written stay readable, and so does the list of blocks. */
const kept: readonly unknown[] = [chatQueryKeys.allMessages[0], blockQueryKeys.all[0]]

/** Purges whoever a change from the socket says is gone. */
export function purgeGoneMembersFromCache(client: QueryClient, changes: readonly CollectionChange[]): void {
  for (const { collection, kind, document } of changes)
    if (collection === 'users' && kind === 'delete') purgeMemberFromCache(client, document.$id)
}

/**
 * Takes the member's rows out of every list, and resets pages about the member, which load again and show nothing until then.
 * What held anything of the member loads again, and so does what was loading: its answer may be older than the change.
 */
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
      // A first load is not begun again by one call alone.
      if (query.state.data === undefined)
        void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
  }
  // The members' own profiles count their follows; a dot or a number may have been the member's.
  void client.invalidateQueries({ queryKey: peopleQueryKeys.profiles })
  void client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
  if (client.getQueryData<number>(chatQueryKeys.unread))
    void client.invalidateQueries({ queryKey: chatQueryKeys.unread })
}

/** Says whether a query is for one thing of the member's: the profile, the posts, a post. */
function isAbout({ queryKey, state: { data } }: Query, personId: string): boolean {
  const [noun, kind] = queryKey
  if (noun === postQueryKeys.all[0] && kind === 'one') return isRecord(data) && isOf(data, personId)
  return (
    (noun === postQueryKeys.all[0] || noun === peopleQueryKeys.profiles[0]) && queryKey.includes(personId)
  )
}

/** Says whether a row is the member, or the member's. */
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

/** A conversation stays, without the picture and with nobody to write to. */
function withoutPerson(row: Record<string, unknown>, personId: string): Record<string, unknown> {
  if (!isRecord(row.other) || row.other.$id !== personId) return row
  const { other, can } = row as unknown as Conversation
  return { ...row, other: { ...other, imageId: null, visible: false }, can: { ...can, write: false } }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Says whether an id stands anywhere in what was loaded. */
function mentions(data: unknown, id: string): boolean {
  if (data === id) return true
  return typeof data === 'object' && data !== null && Object.values(data).some((part) => mentions(part, id))
}
