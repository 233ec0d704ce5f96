import { queryOptions, useQuery } from '@tanstack/react-query'
import { getCurrentMemberEndpoint } from '#contract/generated-endpoints.ts'
import type { CurrentMember as Member } from '#contract/people/people.ts'
import { callApiOperation, takePrefetchedResponse } from '#web/api/client.ts'

export type SignedInMember = Member & { id: string }

export function withBothIds(answer: Omit<Member, '$id'> & { $id?: string; id?: string }): SignedInMember {
  const id = answer.$id ?? answer.id ?? ''
  return { ...answer, id, $id: id }
}

export const isOwnedBySignedInMember = (me: Pick<SignedInMember, 'id'>, ownerId: string): boolean =>
  ownerId === me.id

/** The query loads even if the browser reports that it is offline. */
export const signedInMemberQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => withBothIds(await callApiOperation(getCurrentMemberEndpoint, {})),
  initialData: () => {
    const me = takePrefetchedResponse(getCurrentMemberEndpoint, {})
    return me && withBothIds(me)
  },
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: 'always',
})

/** The member layout renders only after the member has loaded. */
export function useSignedInMember(): SignedInMember {
  const { data } = useQuery(signedInMemberQuery)
  if (!data) throw new Error('useSignedInMember outside the member layout')
  return data
}
