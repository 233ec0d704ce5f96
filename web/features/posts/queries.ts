/** The keys of all that the query cache holds of posts, and what Home asks for (spec §7 Posts, Home feed). */

import { queryOptions } from '@tanstack/react-query'
import { homeFeed } from '#contract/routes.ts'
import { arrived, call } from '#web/api.ts'

export const postKeys = {
  all: ['posts'] as const,
  feed: ['posts', 'feed'] as const,
  explore: ['posts', 'explore'] as const,
  search: (term: string) => ['posts', 'search', term] as const,
  saved: ['posts', 'saved'] as const,
  liked: ['posts', 'liked'] as const,
  byPerson: (personId: string) => ['posts', 'person', personId] as const,
  related: (personId: string, postId: string) => ['posts', 'person', personId, 'but', postId] as const,
  one: (postId: string) => ['posts', 'one', postId] as const,
}

export const homeFeedQuery = queryOptions({
  queryKey: postKeys.feed,
  queryFn: ({ signal }) => call(homeFeed, {}, signal),
  initialData: () => arrived(homeFeed, {}),
})
