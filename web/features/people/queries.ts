/** Keys, queries and mutations of people (spec §7 Users, Follows). */

import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useIsMutating,
  useQueryClient,
} from '@tanstack/react-query'
import { homePeopleSize } from '#contract/limits.ts'
import type { OutputOf } from '#contract/operation.ts'
import type { Person, Profile } from '#contract/people.ts'
import { follow, getPerson, listPeople, unfollow } from '#contract/routes.ts'
import { arrived, call } from '#web/api.ts'
import { askAgain } from '#web/ask-again.ts'
import { postKeys } from '#web/features/posts/queries.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'

const lists = ['people', 'list'] as const
const profiles = ['people', 'one'] as const

export const peopleKeys = {
  home: [...lists, 'home'] as const,
  everybody: [...lists, 'everybody'] as const,
  one: (personId: string) => [...profiles, personId] as const,
}

const others = { limit: homePeopleSize, who: 'others' } as const

/** The newest members but the one who asks. */
export const homePeopleQuery = queryOptions({
  queryKey: peopleKeys.home,
  queryFn: ({ signal }) => call(listPeople, others, signal),
  initialData: () => arrived(listPeople, others),
})

/** All members, newest first, herself among them (conflict C-34). */
export const everybodyQuery = infiniteQueryOptions({
  queryKey: peopleKeys.everybody,
  queryFn: ({ pageParam, signal }) => call(listPeople, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const profileQuery = (personId: string) =>
  queryOptions({
    queryKey: peopleKeys.one(personId),
    queryFn: ({ signal }) => call(getPerson, { personId }, signal),
  })

type Page = OutputOf<typeof listPeople>
type List = Page | InfiniteData<Page>

/** Changes one member wherever she stands. */
function patchPerson(client: QueryClient, personId: string, change: (person: Person) => Partial<Person>) {
  const patch = (person: Person) => (person.$id === personId ? { ...person, ...change(person) } : person)
  const patchPage = (page: Page): Page => ({ ...page, documents: page.documents.map(patch) })
  client.setQueriesData<List>({ queryKey: lists }, (list) => {
    if (!list) return list
    return 'pages' in list ? { ...list, pages: list.pages.map(patchPage) } : patchPage(list)
  })
}

/** Follows or unfollows on the screen: in all lists, and on her profile, where one more or less is counted. */
function showFollowing(client: QueryClient, personId: string, following: boolean) {
  patchPerson(client, personId, () => ({ following }))
  client.setQueryData<Profile>(peopleKeys.one(personId), (profile) => {
    if (!profile || profile.following === following) return profile
    return { ...profile, following, followerCount: profile.followerCount + (following ? 1 : -1) }
  })
}

const followKey = (personId: string) => ['follow', personId]

/** Follow or unfollow, shown at once in all lists and taken back when it fails (spec §4 Follow). */
export function useFollowToggle(person: Pick<Person, '$id' | 'name' | 'following'>) {
  const client = useQueryClient()
  const mutation = useAct({
    mutationKey: followKey(person.$id),
    mutationFn: (following: boolean) => call(following ? follow : unfollow, { personId: person.$id }),
    onMutate: (following) => showFollowing(client, person.$id, following),
    onError: (_error, following) => {
      showFollowing(client, person.$id, !following)
      toast({ title: 'Error', text: 'Something went wrong. Please try again.', kind: 'destructive' })
    },
    onSuccess: (_answer, following) => {
      showFollowing(client, person.$id, following)
      const text = following ? `You are now following ${person.name}` : `You unfollowed ${person.name}`
      toast({ title: 'Success', text, kind: 'success' })
      // Her own profile counts whom she follows.
      for (const queryKey of [postKeys.feed, profiles]) void askAgain(client, queryKey)
    },
  })
  const inFlight = useIsMutating({ mutationKey: followKey(person.$id) }) > 0
  return { inFlight, toggle: () => !inFlight && mutation.mutate(!person.following) }
}
