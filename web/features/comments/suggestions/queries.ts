import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMentionablePeopleEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

/** The post that contains the text, or the group for which it is intended. A new public post has neither. */
export type MentionScope = { postId?: string; groupId?: string }

/**
 * The members whom the text can mention. If the request fails, no error is shown, because the member can type names.
 */
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
