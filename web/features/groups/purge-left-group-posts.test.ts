import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Group } from '#contract/groups/groups.ts'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import type { CollectionChange } from '#contract/realtime/realtime.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { purgeLeftGroupPosts } from './purge-left-group-posts.ts'

const ended = (userId: string, groupId: string | null): CollectionChange => ({
  collection: 'groupMembers',
  kind: 'delete',
  document: { $id: 'm1', userId, groupId },
})

test("PERM-05 R02 when a member leaves a group, the cache drops other members' posts and keeps her own", () => {
  const post = (id: string, groupId: string | null, hers: boolean) =>
    ({ $id: id, groupId, can: { edit: hers, delete: hers } }) as Post
  const [theirs, hers, open] = [post('p1', 'g1', false), post('p2', 'g1', true), post('p3', null, false)]
  const client = new QueryClient()
  client.setQueryData(postQueryKeys.feed, {
    pages: [{ documents: [theirs, hers, open, post('p4', 'g2', false)], next: null }],
    pageParams: [undefined],
  })
  client.setQueryData(postQueryKeys.one('p1'), theirs)
  client.setQueryData(postQueryKeys.one('p2'), hers)
  client.setQueryData(postQueryKeys.ofGroup('g1'), { pages: [{ documents: [theirs, hers], next: null }] })
  client.setQueryData(groupQueryKeys.one('g1'), { $id: 'g1', membership: 'member' } as Group)
  // Visible content stays unless the member may no longer see it. Other content reloads when needed.
  const unanswered = () => new Promise(() => {})
  const watching = [postQueryKeys.feed, postQueryKeys.one('p1'), postQueryKeys.one('p2')].map((queryKey) =>
    new QueryObserver(client, { queryKey, queryFn: unanswered, staleTime: Infinity }).subscribe(() => {}),
  )
  const seen = () =>
    client.getQueryData<{ pages: PostPage[] }>(postQueryKeys.feed)?.pages[0]?.documents.map(({ $id }) => $id)
  purgeLeftGroupPosts(client, 'me', [ended('eva', 'g1'), ended('me', null)])
  expect(seen()).toEqual(['p1', 'p2', 'p3', 'p4'])
  expect(client.getQueryState(postQueryKeys.feed)?.isInvalidated).toBe(true)
  purgeLeftGroupPosts(client, 'me', [ended('me', 'g1')])
  expect(seen()).toEqual(['p2', 'p3', 'p4'])
  expect(client.getQueryData(postQueryKeys.one('p1'))).toBeUndefined()
  expect(client.getQueryData(postQueryKeys.ofGroup('g1'))).toBeUndefined()
  expect(client.getQueryData<Group>(groupQueryKeys.one('g1'))?.membership).toBe('none')
  for (const stop of watching) stop()
})
