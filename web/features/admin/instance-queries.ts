import { queryOptions } from '@tanstack/react-query'
import {
  examineInstanceEndpoint,
  getInstanceOverviewEndpoint,
  getInstanceQueuesEndpoint,
  getInstanceStorageEndpoint,
  listUndeliveredEmailsEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { adminQueryKeys } from '#web/api/query-keys.ts'

/** The server recomputes these sums at most once a minute. */
const slowRefreshMs = 60_000
const fastRefreshMs = 10_000

export const instanceOverviewQuery = queryOptions({
  queryKey: adminQueryKeys.instance,
  queryFn: ({ signal }) => callApiOperation(getInstanceOverviewEndpoint, {}, signal),
  staleTime: 0,
  refetchInterval: slowRefreshMs,
})

export const instanceFindingsQuery = queryOptions({
  queryKey: adminQueryKeys.findings,
  queryFn: ({ signal }) => callApiOperation(examineInstanceEndpoint, {}, signal),
  staleTime: 0,
})

export const instanceStorageQuery = queryOptions({
  queryKey: adminQueryKeys.storage,
  queryFn: ({ signal }) => callApiOperation(getInstanceStorageEndpoint, {}, signal),
  staleTime: 0,
  refetchInterval: slowRefreshMs,
})

export const instanceQueuesQuery = queryOptions({
  queryKey: adminQueryKeys.queues,
  queryFn: ({ signal }) => callApiOperation(getInstanceQueuesEndpoint, {}, signal),
  staleTime: 0,
  refetchInterval: fastRefreshMs,
})

export const undeliveredEmailsQuery = queryOptions({
  queryKey: adminQueryKeys.emails,
  queryFn: ({ signal }) => callApiOperation(listUndeliveredEmailsEndpoint, {}, signal),
  staleTime: 0,
  refetchInterval: fastRefreshMs,
})
