/** session.ts knows earlier whether a member is signed in. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getCurrentMemberEndpoint } from '#contract/generated-endpoints.ts'
import type { CurrentMember as Member } from '#contract/people/people.ts'
import { callApiOperation, takePrefetchedAnswer } from '#web/api/client.ts'

/** `id` equals `$id`. */
export type SignedInMember = Member & { id: string }

export function withBothIds(answer: Omit<Member, '$id'> & { $id?: string; id?: string }): SignedInMember {
  const id = answer.$id ?? answer.id ?? ''
  return { ...answer, id, $id: id }
}

/** For cases that the server's `can` does not cover. */
export const isOwnedBySignedInMember = (me: Pick<SignedInMember, 'id'>, ownerId: string): boolean =>
  ownerId === me.id

/** Loads even if the browser reports that it is offline, and again on focus. */
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

/** Only for the member layout, whose screens render after the member has loaded. */
export function useSignedInMember(): SignedInMember {
  const { data } = useQuery(signedInMemberQuery)
  if (!data) throw new Error('useSignedInMember outside the member layout')
  return data
}
