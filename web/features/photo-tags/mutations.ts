import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  acceptPhotoTagEndpoint,
  removePhotoTagEndpoint,
  stopWithholdingPhotoEndpoint,
  tagPersonEndpoint,
  withholdPhotoEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationInput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { notificationQueryKeys, photoTagQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

function refreshPhotoTags(client: QueryClient, postId?: string): void {
  void invalidateQueriesIncludingLoading(client, photoTagQueryKeys.all)
  void client.invalidateQueries({ queryKey: notificationQueryKeys.all })
  if (postId) void invalidateQueriesIncludingLoading(client, postQueryKeys.one(postId))
}

function toastFailure(error: unknown): void {
  const isGone = error instanceof ApiError && error.type === 'document_not_found'
  toast(
    isGone
      ? { text: en('This is no longer there.', 'Esto ya no está.') }
      : {
          title: en('Error', 'Error'),
          text: genericErrorMessage,
          kind: 'destructive',
        },
  )
}

export function useTagPerson(onAsked: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (photoTag: OperationInput<typeof tagPersonEndpoint>) =>
      callApiOperation(tagPersonEndpoint, photoTag),
    onSuccess: (_named, { postId }) => {
      refreshPhotoTags(client, postId)
      onAsked()
    },
  })
}

export type PhotoTagAnswer = 'show' | 'take-off'

export function useAnswerPhotoTag(
  photoTag: { $id: string; postId: string },
  onAnswered: () => void = () => {},
) {
  const client = useQueryClient()
  const { $id: photoTagId, postId } = photoTag
  return useSingleFlightMutation({
    mutationFn: (answer: PhotoTagAnswer) =>
      callApiOperation(answer === 'show' ? acceptPhotoTagEndpoint : removePhotoTagEndpoint, { photoTagId }),
    onSuccess: onAnswered,
    onError: toastFailure,
    onSettled: () => refreshPhotoTags(client, postId),
  })
}

export function useWithholdPhoto(
  photo: { postId: string; imageId: string },
  onHidden: () => void = () => {},
) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (hidden: boolean) =>
      callApiOperation(hidden ? withholdPhotoEndpoint : stopWithholdingPhotoEndpoint, photo),
    onSuccess: ({ withheld }, hidden) => {
      onHidden()
      if (hidden)
        toast({
          title: en('Hidden', 'Oculta'),
          text: en('Only its author and you see this photo.', 'Solo su autora y tú pueden ver esta foto.'),
        })
      else if (withheld)
        toast({
          text: en(
            'Someone else in this photo wants it hidden. It stays hidden.',
            'Otra persona de esta foto la quiere oculta. Sigue oculta.',
          ),
        })
      else toast({ text: en('The photo is shown again.', 'La foto se vuelve a ver.') })
    },
    onError: toastFailure,
    onSettled: () => {
      refreshPhotoTags(client, photo.postId)
      void invalidateQueriesIncludingLoading(client, postQueryKeys.all)
    },
  })
}
