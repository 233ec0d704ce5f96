/** The signed-in member: its shape, and the query that loads it. Whether anybody is signed in is known before, by session.ts. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getCurrentMemberEndpoint } from '#contract/generated-endpoints.ts'
import type { CurrentMember as Member } from '#contract/people/people.ts'
import { callApiOperation, takePrefetchedAnswer } from '#web/api/client.ts'

/** The signed-in member: `id` and `$id` are the same. */
export type SignedInMember = Member & { id: string }

export function withBothIds(answer: Omit<Member, '$id'> & { $id?: string; id?: string }): SignedInMember {
  const id = answer.$id ?? answer.id ?? ''
  return { ...answer, id, $id: id }
}

/** Says whether the signed-in member owns something; used only where the server's `can` does not say it already. */
export const isOwnedBySignedInMember = (me: Pick<SignedInMember, 'id'>, ownerId: string): boolean =>
  ownerId === me.id

/** Loads even while the browser believes itself offline, and again when the tab gets the focus. */
export const signedInMemberQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => withBothIds(await callApiOperation(getCurrentMemberEndpoint, {})),
  initialData: () => {
    const me = takePrefetchedAnswer(getCurrentMemberEndpoint, {})
    return me && withBothIds(me)
  },
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: 'always',
})

/** Returns the signed-in member. Screens of the member layout render only once the member is known. */
export function useSignedInMember(): SignedInMember {
  const { data } = useQuery(signedInMemberQuery)
  if (!data) throw new Error('useSignedInMember outside the member layout')
  return data
}
