/** Queries of posts: the home feed, lists page by page, a search, one post. */

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
import { ApiError, callApiOperation, takePrefetchedAnswer } from '#web/api/client.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { removePostFromCachedLists } from './post-cache.ts'

type Ask = (cursor: string | undefined, signal: AbortSignal) => Promise<PostPage>

/** @param first the first page, where it has been requested already */
export const createPostPagesQuery = (queryKey: QueryKey, ask: Ask, first?: () => PostPage | undefined) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    initialData: () => asPages(first?.()),
    // Every page would be requested again, one after the other.
    refetchOnWindowFocus: false,
  })

const asPages = (page: PostPage | undefined) => page && { pages: [page], pageParams: [undefined] }

export type PostPagesQuery = ReturnType<typeof createPostPagesQuery>

/** Posts of the followed, of the member and of the member's groups, newest first. */
export const homeFeedQuery = {
  ...createPostPagesQuery(
    postQueryKeys.feed,
    (cursor, signal) => callApiOperation(getHomeFeedEndpoint, { cursor }, signal),
    () => takePrefetchedAnswer(getHomeFeedEndpoint, {}),
  ),
  // At its top nothing moves away under the reader.
  refetchOnWindowFocus: () => scrollY < 100,
}

/** Loads the home feed's first page as it is now. */
export const fetchNewestHomePosts = () => callApiOperation(getHomeFeedEndpoint, {})

/** Whose posts Explore shows beside everybody's. */
export type ExploreAuthorFilter = 'following' | 'groups'

/** Loads Explore's first page as it is now. */
export const fetchNewestExplorePosts = (from?: ExploreAuthorFilter) =>
  callApiOperation(explorePostsEndpoint, { from })

/** Every post the member may read, by last edit; of some authors alone, newest first. */
export const explorePostsQuery = (from?: ExploreAuthorFilter) =>
  createPostPagesQuery(from ? postQueryKeys.exploreFrom(from) : postQueryKeys.explore, (cursor, signal) =>
    callApiOperation(explorePostsEndpoint, { cursor, from }, signal),
  )

/**
 * What was loved this week. A page goes on in the count that its cursor names; where that is too long ago it goes on at the top of the
 * newest, of which what is there already is shown once.
 */
export const lovedPostsQuery = createPostPagesQuery(postQueryKeys.exploreLoved, async (cursor, signal) => {
  try {
    return await callApiOperation(explorePostsEndpoint, { order: 'loved', cursor }, signal)
  } catch (error) {
    if (!(cursor && error instanceof ApiError && error.type === 'general_cursor_not_found')) throw error
    return callApiOperation(explorePostsEndpoint, { order: 'loved' }, signal)
  }
})

/** The member's saved posts, newest saved first. */
export const savedPostsQuery = createPostPagesQuery(postQueryKeys.saved, (cursor, signal) =>
  callApiOperation(listSavedPostsEndpoint, { cursor }, signal),
)

/** The member's liked posts, newest liked first. */
export const likedPostsQuery = createPostPagesQuery(postQueryKeys.liked, (cursor, signal) =>
  callApiOperation(listLikedPostsEndpoint, { cursor }, signal),
)

/** A person's posts that the member may read, newest first. */
export const personPostsQuery = (personId: string) =>
  createPostPagesQuery(postQueryKeys.byPerson(personId), (cursor, signal) =>
    callApiOperation(listPersonPostsEndpoint, { personId, cursor }, signal),
  )

/** The same person's other posts. */
export const morePostsByAuthorQuery = (personId: string, postId: string) =>
  createPostPagesQuery(postQueryKeys.related(personId, postId), (cursor, signal) =>
    callApiOperation(listPersonPostsEndpoint, { personId, except: postId, cursor }, signal),
  )

/** @param term not blank: a blank term is no search */
export const postSearchQuery = (term: string) =>
  queryOptions({
    queryKey: postQueryKeys.search(term),
    queryFn: ({ signal }) => callApiOperation(searchPostsEndpoint, { term }, signal),
  })

/** Joins the pages into one list; a post that moved between two requests appears once. */
export const flattenPostPages = ({ pages }: { pages: readonly PostPage[] }): Post[] => [
  ...new Map(pages.flatMap((page) => page.documents).map((post) => [post.$id, post])).values(),
]

/** One post. When it turns out to be gone or closed to the member, it leaves every list. */
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

/** Says whether the post does not exist, or not any more; an id that cannot be one counts too. */
export const isPostNotFoundError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.field === 'postId')

/** Says whether the post is in a group the member is not in. */
export const isGroupMembershipRequiredError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'group_membership_required'
