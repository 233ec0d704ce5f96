/** Changes a post in every cached list. */

import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'

type List = { documents: Post[] }
type Cached = { pages: PostPage[] } | List | Post

function mapLists(cached: Cached, change: (posts: Post[]) => Post[]): Cached {
  const mapList = <L extends List>(list: L): L => ({ ...list, documents: change(list.documents) })
  if ('pages' in cached) return { ...cached, pages: cached.pages.map(mapList) }
  return 'documents' in cached ? mapList(cached) : cached
}

export function patchCachedPost(
  client: QueryClient,
  postId: string,
  change: (post: Post) => Partial<Post>,
): void {
  const patch = (post: Post) => (post.$id === postId ? { ...post, ...change(post) } : post)
  changeCached(client, postQueryKeys.all, (cached) =>
    '$id' in cached ? patch(cached) : mapLists(cached, (posts) => posts.map(patch)),
  )
}

export function prependPostToCachedList(client: QueryClient, queryKey: QueryKey, post: Post): void {
  removePostFromCachedLists(client, queryKey, post.$id)
  client.setQueryData<InfiniteData<PostPage>>(queryKey, (list) => {
    const [first, ...older] = list?.pages ?? []
    if (!list || !first) return
    return { ...list, pages: [{ ...first, documents: [post, ...first.documents] }, ...older] }
  })
}

export const removePostFromCachedLists = (client: QueryClient, queryKey: QueryKey, postId: string): void =>
  removePosts(client, queryKey, (post) => post.$id === postId)

function removePosts(client: QueryClient, queryKey: QueryKey, which: (post: Post) => boolean): void {
  changeCached(client, queryKey, (cached) =>
    mapLists(cached, (posts) => posts.filter((post) => !which(post))),
  )
}

/** Removes posts from lists, and resets the posts' own pages. */
export function purgePostsFromCache(client: QueryClient, which: (post: Post) => boolean): void {
  removePosts(client, postQueryKeys.all, which)
  void client.resetQueries({
    queryKey: postQueryKeys.all,
    predicate: ({ state: { data } }) => isOnePost(data) && which(data),
  })
}

const isOnePost = (data: unknown): data is Post => typeof data === 'object' && data !== null && '$id' in data

function changeCached(client: QueryClient, queryKey: QueryKey, change: (cached: Cached) => Cached): void {
  for (const { queryKey: key } of client.getQueryCache().findAll({ queryKey })) {
    client.setQueryData<Cached>(key, (cached) => cached && change(cached), {
      updatedAt: getQueryUpdatedAt(client, key),
    })
  }
}

/**
 * The `updatedAt` for a local change, so that it does not make the data look newer. Invalidated data gets 0
 * and stays invalid.
 */
export function getQueryUpdatedAt(client: QueryClient, queryKey: QueryKey): number | undefined {
  const state = client.getQueryState(queryKey)
  return state?.isInvalidated ? 0 : state?.dataUpdatedAt
}

export function findCachedPost(client: QueryClient, postId: string): Post | undefined {
  for (const [, cached] of client.getQueriesData<Cached>({ queryKey: postQueryKeys.all })) {
    const found = cached && postsIn(cached).find((post) => post.$id === postId)
    if (found) return found
  }
}

function postsIn(cached: Cached): Post[] {
  if ('pages' in cached) return cached.pages.flatMap((page) => page.documents)
  return 'documents' in cached ? cached.documents : [cached]
}
