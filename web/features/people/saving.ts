/** Changing one's own profile (spec §2 Edit Profile, §7 Users: update). */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePerson } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { meQuery } from '#web/features/account/queries.ts'
import { postKeys } from '#web/features/posts/queries.ts'
import { toast } from '#web/ui/toast-store.ts'
import { withPicture } from '#web/with-picture.ts'
import type { ProfileValues } from './profile-draft.ts'
import { peopleKeys } from './queries.ts'

export function useUpdateProfile(personId: string, send: (file: File) => Promise<string>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ photo, name, bio }: ProfileValues) =>
      withPicture(photo, send, (imageId) => call(updatePerson, { personId, name, bio, imageId })),
    onError: (error) => {
      // She pressed Cancel, or went away.
      if (error.name === 'AbortError') return
      toast({ text: 'Update user failed. Please try again.', kind: 'destructive' })
    },
    onSuccess: (profile) => {
      client.setQueryData(peopleKeys.one(personId), profile)
      client.setQueryData(meQuery.queryKey, (me) => me && { ...me, ...profile })
      // Her name and picture stand beside her posts and in every list.
      void client.invalidateQueries({ queryKey: ['people', 'list'] })
      void client.invalidateQueries({ queryKey: postKeys.all })
    },
  })
}
