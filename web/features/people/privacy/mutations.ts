import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { removeFollowerEndpoint, updatePrivacySettingsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { Person, Profile } from '#contract/people/people.ts'
import type { PrivacySettings } from '#contract/people/privacy-settings.ts'
import { callApiOperation } from '#web/api/client.ts'
import {
  chatQueryKeys,
  communityQueryKeys,
  followRequestQueryKeys,
  peopleQueryKeys,
  privacyQueryKeys,
} from '#web/api/query-keys.ts'
import { toastFailure } from '#web/api/toast-failure.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { signedInMemberQuery, useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { refreshOwnProfile } from '#web/features/people/refresh-own-profile.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

type PrivacyChoice = Pick<
  OperationInput<typeof updatePrivacySettingsEndpoint>,
  | 'isListed'
  | 'listsFor'
  | 'messagesFrom'
  | 'commentsFrom'
  | 'picturedBy'
  | 'showsTyping'
  | 'showsReceipts'
  | 'onPlacePages'
  | 'takesVouchRequests'
  | 'quickExit'
>

/** The change is optimistic; a failure rolls it back. */
export function useUpdatePrivacySettings() {
  const client = useQueryClient()
  const me = useSignedInMember()
  return useMutation({
    mutationFn: (choice: PrivacyChoice) => callApiOperation(updatePrivacySettingsEndpoint, choice),
    onMutate: (choice) => {
      // The response to a running request would restore the old choice.
      void client.cancelQueries({ queryKey: privacyQueryKeys.settings })
      const before = client.getQueryData<PrivacySettings>(privacyQueryKeys.settings)
      client.setQueryData<PrivacySettings>(
        privacyQueryKeys.settings,
        (settings) => settings && { ...settings, ...choice },
      )
      return before
    },
    onError: (_error, _choice, before) => {
      client.setQueryData(privacyQueryKeys.settings, before)
      toastFailure()
    },
    onSuccess: (settings, { quickExit, showsTyping, showsReceipts, takesVouchRequests }) => {
      client.setQueryData(privacyQueryKeys.settings, settings)
      // Loaded messages contain read receipts.
      if (showsReceipts !== undefined) client.removeQueries({ queryKey: chatQueryKeys.allMessages })
      if (takesVouchRequests !== undefined)
        void client.invalidateQueries({ queryKey: communityQueryKeys.vouchRequests })
      // The signed-in member contains both settings.
      if (quickExit || showsTyping !== undefined)
        void client.invalidateQueries({ queryKey: signedInMemberQuery.queryKey })
      refreshOwnProfile(client, me.$id)
    },
  })
}

type Switch = Pick<OperationInput<typeof updatePrivacySettingsEndpoint>, 'isPrivate' | 'earlierPosts'>
type WithReauthentication = <T>(call: () => Promise<T>) => Promise<T>

export function useSwitchAccountPrivacy(withReauthentication: WithReauthentication, onSwitched: () => void) {
  const client = useQueryClient()
  const me = useSignedInMember()
  return useSingleFlightMutation({
    mutationFn: (wanted: Switch) =>
      withReauthentication(() => callApiOperation(updatePrivacySettingsEndpoint, wanted)),
    onSuccess: (settings) => {
      client.setQueryData(privacyQueryKeys.settings, settings)
      const { isPrivate } = settings
      client.setQueryData(signedInMemberQuery.queryKey, (member) => member && { ...member, isPrivate })
      onSwitched()
      // When an account becomes public, the server approves all follow requests.
      void client.invalidateQueries({ queryKey: followRequestQueryKeys.all })
      refreshOwnProfile(client, me.$id)
    },
  })
}

type PeoplePages = InfiniteData<{ documents: Person[]; next: string | null }>

/** The server does not notify the follower. */
export function useRemoveFollower(person: Pick<Person, '$id' | 'name'>, onRemoved?: () => void) {
  const client = useQueryClient()
  const me = useSignedInMember()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(removeFollowerEndpoint, { personId: person.$id }),
    onError: () => toastFailure(),
    onSuccess: () => {
      onRemoved?.()
      client.setQueryData<PeoplePages>(
        peopleQueryKeys.followers(me.$id),
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              documents: page.documents.filter(({ $id }) => $id !== person.$id),
            })),
          },
      )
      client.setQueryData<Profile>(
        peopleQueryKeys.one(person.$id),
        (profile) => profile && { ...profile, followsMe: false },
      )
      toast({
        title: en('Removed', 'Quitada'),
        text: en(`${person.name} doesn’t follow you any more.`, `${person.name} ya no te sigue.`),
      })
      refreshOwnProfile(client, me.$id)
      void client.invalidateQueries({ queryKey: peopleQueryKeys.one(person.$id) })
      void client.invalidateQueries({ queryKey: privacyQueryKeys.settings })
    },
  })
}
