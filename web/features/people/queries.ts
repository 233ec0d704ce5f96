import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { getPersonEndpoint, listPeopleEndpoint, searchPeopleEndpoint } from '#contract/generated-endpoints.ts'
import { homePeoplePageSize } from '#contract/limits.ts'
import type { OperationOutput } from '#contract/operation.ts'
import type { Person } from '#contract/people/people.ts'
import { callApiOperation, takePrefetchedResponse } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

export type PeoplePage = OperationOutput<typeof listPeopleEndpoint>

const others = { limit: homePeoplePageSize, who: 'others' } as const

/** Omits the signed-in member. */
export const newestPeopleQuery = queryOptions({
  queryKey: peopleQueryKeys.home,
  queryFn: ({ signal }) => callApiOperation(listPeopleEndpoint, others, signal),
  initialData: () => takePrefetchedResponse(listPeopleEndpoint, others),
})

export const createPeoplePagesQuery = (
  queryKey: QueryKey,
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<PeoplePage>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export type PeoplePagesQuery = ReturnType<typeof createPeoplePagesQuery>

/** Newest first, including the signed-in member. */
export const allPeopleQuery = createPeoplePagesQuery(peopleQueryKeys.everybody, (cursor, signal) =>
  callApiOperation(listPeopleEndpoint, { cursor }, signal),
)

/** A person may move to another page between two requests. */
export const flattenPeoplePages = ({ pages }: { pages: readonly PeoplePage[] }): Person[] => [
  ...new Map(pages.flatMap((page) => page.documents).map((person) => [person.$id, person])).values(),
]

/** @param term not blank */
export const peopleSearchQuery = (term: string) =>
  queryOptions({
    queryKey: peopleQueryKeys.found(term),
    queryFn: ({ signal }) => callApiOperation(searchPeopleEndpoint, { term }, signal),
  })

export const profileQuery = (personId: string) =>
  queryOptions({
    queryKey: peopleQueryKeys.one(personId),
    queryFn: ({ signal }) => callApiOperation(getPersonEndpoint, { personId }, signal),
  })
