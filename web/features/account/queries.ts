/** The member's own cache entry. Whether there is a member at all is known before, by session.ts. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { currentMember } from '#contract/routes.ts'
import { arrived, call } from '#web/api.ts'
import { type Me, toMe } from './me.ts'

/** Asked for even when the browser believes itself offline, and again when she comes back to the tab. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => toMe(await call(currentMember, {})),
  initialData: () => {
    const me = arrived(currentMember, {})
    return me && toMe(me)
  },
  networkMode: 'always',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: 'always',
})

/** The member who asks. Screens of the member layout are shown only once she is known. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe outside the member layout')
  return data
}
