import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import {
  explorePostsEndpoint,
  getHomeFeedEndpoint,
  getPostEndpoint,
  listLikedPostsEndpoint,
  listPersonPostsEndpoint,
  listSavedPostsEndpoint,
  searchPostsEndpoint,
} from '#contract/generated-endpoints.ts'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import { ApiError, callApiOperation, takePrefetchedResponse } from '#web/api/client.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { removePostFromCachedLists } from './post-cache.ts'

type Ask = (cursor: string | undefined, signal: AbortSignal) => Promise<PostPage>

export const createPostPagesQuery = (queryKey: QueryKey, ask: Ask, first?: () => PostPage | undefined) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    initialData: () => asPages(first?.()),
    // A reload on focus would request every page in sequence.
    refetchOnWindowFocus: false,
  })

const asPages = (page: PostPage | undefined) => page && { pages: [page], pageParams: [undefined] }

export type PostPagesQuery = ReturnType<typeof createPostPagesQuery>

/** Newest first. */
export const homeFeedQuery = {
  ...createPostPagesQuery(
    postQueryKeys.feed,
    (cursor, signal) => callApiOperation(getHomeFeedEndpoint, { cursor }, signal),
    () => takePrefetchedResponse(getHomeFeedEndpoint, {}),
  ),
  // Reloads only near the top, where nothing moves under the reader.
  refetchOnWindowFocus: () => scrollY < 100,
}

export const fetchNewestHomePosts = () => callApiOperation(getHomeFeedEndpoint, {})

export type ExploreAuthorFilter = 'following' | 'groups'

export const fetchNewestExplorePosts = (from?: ExploreAuthorFilter) =>
  callApiOperation(explorePostsEndpoint, { from })

/** Ordered by last edit; with an author filter, newest first. */
export const explorePostsQuery = (from?: ExploreAuthorFilter) =>
  createPostPagesQuery(from ? postQueryKeys.exploreFrom(from) : postQueryKeys.explore, (cursor, signal) =>
    callApiOperation(explorePostsEndpoint, { cursor, from }, signal),
  )

/** After the cursor expires, continues with the newest posts, without those already shown. */
export const lovedPostsQuery = createPostPagesQuery(postQueryKeys.exploreLoved, async (cursor, signal) => {
  try {
    return await callApiOperation(explorePostsEndpoint, { order: 'loved', cursor }, signal)
  } catch (error) {
    if (!(cursor && error instanceof ApiError && error.type === 'general_cursor_not_found')) throw error
    return callApiOperation(explorePostsEndpoint, { order: 'loved' }, signal)
  }
})

/** Ordered by saving, newest first. */
export const savedPostsQuery = createPostPagesQuery(postQueryKeys.saved, (cursor, signal) =>
  callApiOperation(listSavedPostsEndpoint, { cursor }, signal),
)

/** Ordered by liking, newest first. */
export const likedPostsQuery = createPostPagesQuery(postQueryKeys.liked, (cursor, signal) =>
  callApiOperation(listLikedPostsEndpoint, { cursor }, signal),
)

/** Newest first. */
export const personPostsQuery = (personId: string) =>
  createPostPagesQuery(postQueryKeys.byPerson(personId), (cursor, signal) =>
    callApiOperation(listPersonPostsEndpoint, { personId, cursor }, signal),
  )

export const morePostsByAuthorQuery = (personId: string, postId: string) =>
  createPostPagesQuery(postQueryKeys.related(personId, postId), (cursor, signal) =>
    callApiOperation(listPersonPostsEndpoint, { personId, except: postId, cursor }, signal),
  )

/** @param term not blank */
export const postSearchQuery = (term: string) =>
  queryOptions({
    queryKey: postQueryKeys.search(term),
    queryFn: ({ signal }) => callApiOperation(searchPostsEndpoint, { term }, signal),
  })

/** A post may move to another page between two requests. */
export const flattenPostPages = ({ pages }: { pages: readonly PostPage[] }): Post[] => [
  ...new Map(pages.flatMap((page) => page.documents).map((post) => [post.$id, post])).values(),
]

/** A deleted or unreadable post is removed from all lists. */
export const postQuery = (postId: string) =>
  queryOptions({
    queryKey: postQueryKeys.one(postId),
    queryFn: async ({ client, signal }) => {
      try {
        return await callApiOperation(getPostEndpoint, { postId }, signal)
      } catch (error) {
        if (isPostNotFoundError(error) || isGroupMembershipRequiredError(error))
          removePostFromCachedLists(client, postQueryKeys.all, postId)
        throw error
      }
    },
  })

/** Also true for an invalid id. */
export const isPostNotFoundError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.field === 'postId')

export const isGroupMembershipRequiredError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'group_membership_required'
