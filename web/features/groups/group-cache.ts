import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Group } from '#contract/groups/groups.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { purgePostsFromCache } from '#web/features/posts/post-cache.ts'

type Page<Row> = { documents: Row[] }
export type PaginatedQueryData<Row> = InfiniteData<Page<Row> & { next: string | null }, string | undefined>

export function patchCachedGroup(
  client: QueryClient,
  groupId: string,
  change: (group: Group) => Partial<Group>,
) {
  const patch = (group: Group) => (group.$id === groupId ? { ...group, ...change(group) } : group)
  client.setQueryData<Group>(groupQueryKeys.one(groupId), (group) => group && patch(group))
  client.setQueriesData<Page<Group>>(
    { queryKey: groupQueryKeys.searches },
    (page) => page && mapRows(page, patch),
  )
  client.setQueryData<PaginatedQueryData<Group>>(
    groupQueryKeys.list,
    (list) => list && { ...list, pages: list.pages.map((page) => mapRows(page, patch)) },
  )
}

const mapRows = <P extends Page<Group>>(page: P, patch: (group: Group) => Group): P => ({
  ...page,
  documents: page.documents.map(patch),
})

export const prependGroupToPages = (
  list: PaginatedQueryData<Group>,
  group: Group,
): PaginatedQueryData<Group> => ({
  ...list,
  pages: list.pages.map((page, position) =>
    position === 0 ? { ...page, documents: [group, ...page.documents] } : page,
  ),
})

export const removeRowFromPages = <Row extends { $id: string }>(
  list: PaginatedQueryData<Row>,
  rowId: string,
): PaginatedQueryData<Row> => ({
  ...list,
  pages: list.pages.map((page) => ({
    ...page,
    documents: page.documents.filter((row) => row.$id !== rowId),
  })),
})

/** Call this for a member who lost access to the group. Their own posts stay. */
export function purgeGroupPostsFromCache(client: QueryClient, groupId: string) {
  purgePostsFromCache(client, (post) => post.groupId === groupId && !post.can.delete)
  client.removeQueries({ queryKey: postQueryKeys.ofGroup(groupId) })
  client.removeQueries({ queryKey: postQueryKeys.all, type: 'inactive' })
  void client.invalidateQueries({ queryKey: postQueryKeys.all })
}

/** Reloads groups, because the change may affect what the member can see. */
export const invalidateGroups = (client: QueryClient): Promise<void> =>
  invalidateQueriesIncludingLoading(client, groupQueryKeys.all)
