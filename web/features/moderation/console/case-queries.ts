import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getCaseEndpoint, listCasesEndpoint } from '#contract/generated-endpoints.ts'
import type { moderationCaseTabs } from '#contract/moderation/cases.ts'
import { callApiOperation } from '#web/api/client.ts'
import { asApiError } from '#web/api/error-message.ts'
import { moderationQueryKeys } from '#web/api/query-keys.ts'

export type ModerationTab = (typeof moderationCaseTabs)[number]

const refetchInterval = 30_000

export const moderationCasesQuery = (tab: ModerationTab) =>
  infiniteQueryOptions({
    queryKey: moderationQueryKeys.list(tab),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listCasesEndpoint, { tab, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval,
  })

export const moderationCaseQuery = (caseId: string) =>
  queryOptions({
    queryKey: moderationQueryKeys.one(caseId),
    queryFn: ({ signal }) => callApiOperation(getCaseEndpoint, { caseId }, signal),
  })

export const isModeratorPasswordRequired = (error: unknown): boolean =>
  asApiError(error)?.type === 'moderation_password_required'
