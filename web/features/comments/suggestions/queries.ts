/** Whom a text may name. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMentionablePeopleEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

/** What the text stands under: a post, a group that it would be for, or neither for a new post outside groups. */
export type MentionScope = { postId?: string; groupId?: string }

/** Nothing is said of a search that fails: the name can be typed. */
export const mentionablePeopleQuery = (scope: MentionScope, term: string) =>
  queryOptions({
    queryKey: peopleQueryKeys.mentionable(scope, term),
    queryFn: async ({ signal }) =>
      (await callApiOperation(listMentionablePeopleEndpoint, { ...scope, term }, signal)).documents,
    enabled: term !== '',
    staleTime: 30_000,
    retry: false,
    placeholderData: keepPreviousData,
  })
