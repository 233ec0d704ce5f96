/** A change appears immediately in all caches, and a failure rolls it back. */
import { type InfiniteData, type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { followEndpoint, unfollowEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Person, Profile } from '#contract/people/people.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import type { PeoplePage } from './queries.ts'

type List = { documents: Person[] } | InfiniteData<PeoplePage>

function patchPerson(client: QueryClient, personId: string, change: (person: Person) => Partial<Person>) {
  const patch = (person: Person) => (person.$id === personId ? { ...person, ...change(person) } : person)
  const patchPage = <P extends { documents: Person[] }>(page: P): P => ({
    ...page,
    documents: page.documents.map(patch),
  })
  client.setQueriesData<List>({ queryKey: peopleQueryKeys.lists }, (list) => {
    if (!list) return list
    return 'pages' in list ? { ...list, pages: list.pages.map(patchPage) } : patchPage(list)
  })
}

type FollowState = Pick<Person, 'following' | 'requested'>

export function patchCachedFollowState(
  client: QueryClient,
  personId: string,
  { following, requested }: FollowState,
) {
  patchPerson(client, personId, () => ({ following, requested }))
  client.setQueryData<Profile>(peopleQueryKeys.one(personId), (profile) => {
    if (!profile) return profile
    const step = Number(following) - Number(profile.following)
    const followerCount = profile.followerCount === null ? null : profile.followerCount + step
    return { ...profile, following, requested, followerCount }
  })
}

const followKey = (personId: string) => ['follow', personId]

export function useFollowToggle(
  person: Pick<Person, '$id' | 'name' | 'following' | 'requested' | 'isPrivate'>,
) {
  const client = useQueryClient()
  const before = useRef<FollowState>(person)
  const mutation = useSingleFlightMutation({
    mutationKey: followKey(person.$id),
    mutationFn: (wanted: boolean) =>
      callApiOperation(wanted ? followEndpoint : unfollowEndpoint, { personId: person.$id }),
    onMutate: (wanted) => {
      before.current = { following: person.following, requested: person.requested }
      const { isPrivate } = person
      patchCachedFollowState(client, person.$id, {
        following: wanted && !isPrivate,
        requested: wanted && isPrivate,
      })
    },
    onError: () => {
      patchCachedFollowState(client, person.$id, before.current)
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    },
    onSuccess: (state) => {
      patchCachedFollowState(client, person.$id, state)
      if (state.requested)
        toast({
          title: en('Request sent', 'Solicitud enviada'),
          text: en(`${person.name} decides whether you follow her.`, `${person.name} decide si la sigues.`),
          kind: 'success',
        })
      else {
        const text = state.following
          ? en(`You are now following ${person.name}`, `Ahora sigues a ${person.name}`)
          : en(`You unfollowed ${person.name}`, `Dejaste de seguir a ${person.name}`)
        toast({ title: en('Success', 'Hecho'), text, kind: 'success' })
      }
      // The feeds change, and the member's own profile shows how many people they follow.
      for (const queryKey of [
        postQueryKeys.feed,
        postQueryKeys.exploreFrom('following'),
        peopleQueryKeys.profiles,
      ])
        void invalidateQueriesIncludingLoading(client, queryKey)
    },
  })
  const inFlight = useIsMutating({ mutationKey: followKey(person.$id) }) > 0
  return { inFlight, toggle: () => !inFlight && mutation.mutate(!person.following) }
}
