import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMentionablePeopleEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

export type MentionScope = { postId?: string; groupId?: string }

/** A failure shows no error, because the member can type names. */
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
