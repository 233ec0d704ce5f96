/** The query of the signed-in member. Whether there is one at all is known before, by session.ts. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { getCurrentMemberRoute } from '#contract/generated-routes.ts'
import { callApiOperation, takePrefetchedAnswer } from '#web/api/client.ts'
import { normalizeSignedInMember, type SignedInMember } from './signed-in-member.ts'

/** Loads even while the browser believes itself offline, and again when the tab gets the focus. */
export const signedInMemberQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => normalizeSignedInMember(await callApiOperation(getCurrentMemberRoute, {})),
  initialData: () => {
    const me = takePrefetchedAnswer(getCurrentMemberRoute, {})
    return me && normalizeSignedInMember(me)
  },
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: 'always',
})

/** Returns the signed-in member. Screens of the member layout render only once the member is known. */
export function useSignedInMember(): SignedInMember {
  const { data } = useQuery(signedInMemberQuery)
  if (!data) throw new Error('useMe outside the member layout')
  return data
}
