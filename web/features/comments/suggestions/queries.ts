import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMentionablePeopleEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

/** The text's post or intended group; neither for a new public post. */
export type MentionScope = { postId?: string; groupId?: string }

/** Failures are silent: names can be typed. */
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
