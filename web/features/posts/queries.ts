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

/** @param first returns the first page if it was already requested */
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

/** The Home feed, newest first. */
export const homeFeedQuery = {
  ...createPostPagesQuery(
    postQueryKeys.feed,
    (cursor, signal) => callApiOperation(getHomeFeedEndpoint, { cursor }, signal),
    () => takePrefetchedAnswer(getHomeFeedEndpoint, {}),
  ),
  // Reloads on focus only near the top, where nothing moves under the reader.
  refetchOnWindowFocus: () => scrollY < 100,
}

export const fetchNewestHomePosts = () => callApiOperation(getHomeFeedEndpoint, {})

export type ExploreAuthorFilter = 'following' | 'groups'

export const fetchNewestExplorePosts = (from?: ExploreAuthorFilter) =>
  callApiOperation(explorePostsEndpoint, { from })

/** Explore's posts, ordered by last edit. With an author filter, the newest posts come first. */
export const explorePostsQuery = (from?: ExploreAuthorFilter) =>
  createPostPagesQuery(from ? postQueryKeys.exploreFrom(from) : postQueryKeys.explore, (cursor, signal) =>
    callApiOperation(explorePostsEndpoint, { cursor, from }, signal),
  )

/**
 * The posts ranked by recent likes and comments. All pages use the ranking of their cursor. If the cursor has expired,
 * the list continues with the newest posts and skips the posts already shown.
 */
export const lovedPostsQuery = createPostPagesQuery(postQueryKeys.exploreLoved, async (cursor, signal) => {
  try {
    return await callApiOperation(explorePostsEndpoint, { order: 'loved', cursor }, signal)
  } catch (error) {
    if (!(cursor && error instanceof ApiError && error.type === 'general_cursor_not_found')) throw error
    return callApiOperation(explorePostsEndpoint, { order: 'loved' }, signal)
  }
})

/** Saved posts. The post saved last comes first. */
export const savedPostsQuery = createPostPagesQuery(postQueryKeys.saved, (cursor, signal) =>
  callApiOperation(listSavedPostsEndpoint, { cursor }, signal),
)

/** Liked posts. The post liked last comes first. */
export const likedPostsQuery = createPostPagesQuery(postQueryKeys.liked, (cursor, signal) =>
  callApiOperation(listLikedPostsEndpoint, { cursor }, signal),
)

/** A person's posts, newest first. */
export const personPostsQuery = (personId: string) =>
  createPostPagesQuery(postQueryKeys.byPerson(personId), (cursor, signal) =>
    callApiOperation(listPersonPostsEndpoint, { personId, cursor }, signal),
  )

/** The author's other posts, without the current post. */
export const morePostsByAuthorQuery = (personId: string, postId: string) =>
  createPostPagesQuery(postQueryKeys.related(personId, postId), (cursor, signal) =>
    callApiOperation(listPersonPostsEndpoint, { personId, except: postId, cursor }, signal),
  )

/** @param term must not be blank, because a blank term is no search */
export const postSearchQuery = (term: string) =>
  queryOptions({
    queryKey: postQueryKeys.search(term),
    queryFn: ({ signal }) => callApiOperation(searchPostsEndpoint, { term }, signal),
  })

/** Joins pages. A post that moved to another page between two requests appears only once. */
export const flattenPostPages = ({ pages }: { pages: readonly PostPage[] }): Post[] => [
  ...new Map(pages.flatMap((page) => page.documents).map((post) => [post.$id, post])).values(),
]

/** A single post. If it was deleted or is unreadable, it is removed from all lists. */
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

/** Whether the post was not found. Also true for an invalid id. */
export const isPostNotFoundError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 404 || error.field === 'postId')

export const isGroupMembershipRequiredError = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'group_membership_required'
