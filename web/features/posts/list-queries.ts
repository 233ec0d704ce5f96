/** The lists of posts beside Home's: page by page, or what a search found (spec §7 Posts). */

import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Post, PostPage } from '#contract/posts.ts'
import { explorePosts, likedPosts, postsByPerson, savedPosts, searchPosts } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { postKeys } from './queries.ts'

type Ask = (cursor: string | undefined, signal: AbortSignal) => Promise<PostPage>

const pages = (queryKey: QueryKey, ask: Ask) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // Every page would be asked for again, one after the other.
    refetchOnWindowFocus: false,
  })

export type PostPagesQuery = ReturnType<typeof pages>

/** Everything she may read, by last edit. */
export const exploreQuery = pages(postKeys.explore, (cursor, signal) =>
  call(explorePosts, { cursor }, signal),
)

/** Her own, newest saved first. */
export const savedPostsQuery = pages(postKeys.saved, (cursor, signal) => call(savedPosts, { cursor }, signal))

/** Her own, newest liked first. */
export const likedPostsQuery = pages(postKeys.liked, (cursor, signal) => call(likedPosts, { cursor }, signal))

/** A member's posts that the one who asks may read, newest first. */
export const personPostsQuery = (personId: string) =>
  pages(postKeys.byPerson(personId), (cursor, signal) => call(postsByPerson, { personId, cursor }, signal))

/** The same member's other posts. */
export const relatedPostsQuery = (personId: string, postId: string) =>
  pages(postKeys.related(personId, postId), (cursor, signal) =>
    call(postsByPerson, { personId, except: postId, cursor }, signal),
  )

/** @param term not blank: a blank one is no search (conflict C-48) */
export const postSearchQuery = (term: string) =>
  queryOptions({
    queryKey: postKeys.search(term),
    queryFn: ({ signal }) => call(searchPosts, { term }, signal),
  })

/** The pages as one list; what moved between two requests stands in it once (conflict C-11). */
export const postsOf = ({ pages }: { pages: readonly PostPage[] }): Post[] => [
  ...new Map(pages.flatMap((page) => page.documents).map((post) => [post.$id, post])).values(),
]
