import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updateProfileEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { isAbortError, saveWithUpload } from '#web/forms/save-with-upload.ts'
import { toastFailureUnlessFieldError } from '#web/forms/toast-failure-unless-field-error.ts'
import type { ProfileFormValues } from './profile-form-schema.ts'

type Values = Omit<ProfileFormValues, 'username' | 'email'> & Partial<ProfileFormValues>

export function useUpdateProfile(personId: string, send: (file: File) => Promise<string>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ photo, username: _, email: __, ...texts }: Values) =>
      saveWithUpload(photo, send, (imageId) =>
        callApiOperation(updateProfileEndpoint, { personId, ...texts, imageId }),
      ),
    onError: (error) => {
      if (isAbortError(error)) return
      const text = en(
        'Update user failed. Please try again.',
        'No pudimos guardar tu perfil. Inténtalo de nuevo.',
      )
      toastFailureUnlessFieldError({ text }, error instanceof ApiError && error.field !== undefined)
    },
    onSuccess: (profile) => {
      client.setQueryData(peopleQueryKeys.one(personId), profile)
      client.setQueryData(signedInMemberQuery.queryKey, (me) => me && { ...me, ...profile })
      void client.invalidateQueries({ queryKey: peopleQueryKeys.lists })
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
    },
  })
}
