/** One post stands in many lists of the query cache; what changes it changes it in all of them. */
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Post, PostPage } from '#contract/posts.ts'
import { postKeys } from './queries.ts'

type List = { documents: Post[] }
/** Whatever lies under `postKeys.all`. */
type Cached = { pages: PostPage[] } | List | Post

function mapLists(cached: Cached, change: (posts: Post[]) => Post[]): Cached {
  const mapList = <L extends List>(list: L): L => ({ ...list, documents: change(list.documents) })
  if ('pages' in cached) return { ...cached, pages: cached.pages.map(mapList) }
  return 'documents' in cached ? mapList(cached) : cached
}

export function patchPost(client: QueryClient, postId: string, change: (post: Post) => Partial<Post>): void {
  const patch = (post: Post) => (post.$id === postId ? { ...post, ...change(post) } : post)
  changeCached(client, postKeys.all, (cached) =>
    '$id' in cached ? patch(cached) : mapLists(cached, (posts) => posts.map(patch)),
  )
}

/** Takes a post out of the lists under `queryKey`. */
export const dropPost = (client: QueryClient, queryKey: QueryKey, postId: string): void =>
  dropPosts(client, queryKey, (post) => post.$id === postId)

function dropPosts(client: QueryClient, queryKey: QueryKey, which: (post: Post) => boolean): void {
  changeCached(client, queryKey, (cached) =>
    mapLists(cached, (posts) => posts.filter((post) => !which(post))),
  )
}

/**
 * Takes the posts out of every list and from their own pages, which ask again and show nothing until they are answered.
 */
export function forgetEverywhere(client: QueryClient, which: (post: Post) => boolean): void {
  dropPosts(client, postKeys.all, which)
  void client.resetQueries({
    queryKey: postKeys.all,
    predicate: ({ state: { data } }) => isOnePost(data) && which(data),
  })
}

const isOnePost = (data: unknown): data is Post => typeof data === 'object' && data !== null && '$id' in data

function changeCached(client: QueryClient, queryKey: QueryKey, change: (cached: Cached) => Cached): void {
  for (const { queryKey: key } of client.getQueryCache().findAll({ queryKey })) {
    client.setQueryData<Cached>(key, (cached) => cached && change(cached), { updatedAt: ageOf(client, key) })
  }
}

/** When what is cached was loaded, for changes that make it no newer; what is to be asked for again stays so. */
export function ageOf(client: QueryClient, queryKey: QueryKey): number | undefined {
  const state = client.getQueryState(queryKey)
  return state?.isInvalidated ? 0 : state?.dataUpdatedAt
}

/** The post as any list shows it. */
export function findPost(client: QueryClient, postId: string): Post | undefined {
  for (const [, cached] of client.getQueriesData<Cached>({ queryKey: postKeys.all })) {
    const found = cached && postsIn(cached).find((post) => post.$id === postId)
    if (found) return found
  }
}

function postsIn(cached: Cached): Post[] {
  if ('pages' in cached) return cached.pages.flatMap((page) => page.documents)
  return 'documents' in cached ? cached.documents : [cached]
}
