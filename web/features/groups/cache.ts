/** What the query cache holds of groups, and how one change reaches every list that shows it. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Group, Membership } from '#contract/groups.ts'
import { forgetEverywhere } from '#web/features/posts/post-cache.ts'
import { postKeys } from '#web/features/posts/queries.ts'

export const groupKeys = {
  all: ['groups'] as const,
  list: ['groups', 'list'] as const,
  search: (term: string) => ['groups', 'search', term] as const,
  one: (groupId: string) => ['groups', 'one', groupId] as const,
  members: (groupId: string) => ['groups', 'members', groupId] as const,
  requests: (groupId: string) => ['groups', 'requests', groupId] as const,
  /** Among the posts, so that what changes a post changes it here too. */
  anyPosts: [...postKeys.all, 'group'] as const,
  posts: (groupId: string) => [...postKeys.all, 'group', groupId] as const,
}

type Page<Row> = { documents: Row[] }
export type Pages<Row> = InfiniteData<Page<Row> & { next: string | null }, string | undefined>

export const belongs = (membership: Membership): boolean => membership === 'admin' || membership === 'member'

/** Changes a group wherever it is shown. */
export function patchGroup(client: QueryClient, groupId: string, change: (group: Group) => Partial<Group>) {
  const patch = (group: Group) => (group.$id === groupId ? { ...group, ...change(group) } : group)
  client.setQueryData<Group>(groupKeys.one(groupId), (group) => group && patch(group))
  client.setQueriesData<Page<Group>>(
    { queryKey: ['groups', 'search'] },
    (page) => page && mapRows(page, patch),
  )
  client.setQueryData<Pages<Group>>(
    groupKeys.list,
    (list) => list && { ...list, pages: list.pages.map((page) => mapRows(page, patch)) },
  )
}

const mapRows = <P extends Page<Group>>(page: P, patch: (group: Group) => Group): P => ({
  ...page,
  documents: page.documents.map(patch),
})

/** The list with a new group on top. */
export const withGroup = (list: Pages<Group>, group: Group): Pages<Group> => ({
  ...list,
  pages: list.pages.map((page, position) =>
    position === 0 ? { ...page, documents: [group, ...page.documents] } : page,
  ),
})

/** The rows but the one with this id. */
export const withoutRow = <Row extends { $id: string }>(list: Pages<Row>, rowId: string): Pages<Row> => ({
  ...list,
  pages: list.pages.map((page) => ({
    ...page,
    documents: page.documents.filter((row) => row.$id !== rowId),
  })),
})

/** Nothing of a group's posts stays in this browser once she has lost sight of them, but what she posted herself. */
export function forgetPosts(client: QueryClient, groupId: string) {
  forgetEverywhere(client, (post) => post.groupId === groupId && !post.can.delete)
  client.removeQueries({ queryKey: groupKeys.posts(groupId) })
  client.removeQueries({ queryKey: postKeys.all, type: 'inactive' })
  void client.invalidateQueries({ queryKey: postKeys.all })
}

/**
 * For whoever hears that a group, its members or its requests have changed: everything of groups is asked for again, which
 * also tells what she herself may still see.
 */
export const groupsChanged = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: groupKeys.all })
