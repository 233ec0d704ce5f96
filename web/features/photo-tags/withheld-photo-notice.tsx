import { useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { deletePostEndpoint, updatePostEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post, PostPhoto } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import type { EditPostNavigationState } from '#web/features/posts/form/post-form-navigation-state.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useConfirm } from '#web/ui/use-confirm.tsx'

export function WithheldPhotoNotice({ post, photo, at }: { post: Post; photo: PostPhoto; at: number }) {
  const isOnly = post.photos.length === 1
  const goBack = useGoBack(screenPaths.home())
  const remove = useRemovePhoto(post, photo, () => isOnly && goBack())
  const { dialog, ask } = useConfirm({
    title: isOnly
      ? en('Delete this post?', '¿Borrar esta publicación?')
      : en('Remove this photo?', '¿Quitar esta foto?'),
    text: isOnly
      ? en(
          'It is the only photo, so the post is deleted too. You can’t undo this.',
          'Es la única foto, así que también se borra la publicación. No se puede deshacer.',
        )
      : en(
          'The post keeps its other photos. You can’t undo this.',
          'La publicación sigue con las demás. No se puede deshacer.',
        ),
    confirm: isOnly ? en('Delete post', 'Borrar publicación') : en('Remove photo', 'Quitar foto'),
    cancel: en('Keep it', 'Conservarla'),
  })
  const form = {
    to: screenPaths.updatePost(post.$id),
    state: { fromPost: true } satisfies EditPostNavigationState,
  }
  return (
    <div
      role="note"
      className="mb-4 flex gap-3 rounded-photo bg-warning-soft px-4 py-3 text-label text-warning"
    >
      <EyeOff aria-hidden size={20} strokeWidth={1.9} className="mt-px flex-none" />
      <div className="min-w-0">
        <p className="font-[650]">
          {en('Someone in this photo asked to hide it.', 'Alguien de esta foto pidió ocultarla.')}
        </p>
        <p className="text-pretty">
          {isOnly
            ? en(
                'Until you change it, only the two of you see this post.',
                'Hasta que la cambies, esta publicación solo la ven ella y tú.',
              )
            : en(
                `It is photo ${at + 1}: only the two of you see it.`,
                `Es la foto ${at + 1}: solo la ven ella y tú.`,
              )}
        </p>
        <div className="mt-2.5 flex flex-wrap gap-2">
          <ButtonLink {...form} kind="outline" size="sm">
            {en('Crop', 'Recortar')}
          </ButtonLink>
          <ButtonLink {...form} kind="outline" size="sm">
            {en('Replace', 'Reemplazar')}
          </ButtonLink>
          <Button
            kind="outline"
            size="sm"
            busy={remove.isPending}
            onClick={() => void ask().then((yes) => yes && remove.mutate())}
          >
            {en('Remove', 'Quitar')}
          </Button>
        </div>
      </div>
      {dialog}
    </div>
  )
}

/** Removing the only photo removes the post. */
function useRemovePhoto(post: Post, { id }: PostPhoto, onRemoved: () => void) {
  const client = useQueryClient()
  const left = post.photos.filter((photo) => photo.id !== id)
  return useSingleFlightMutation({
    mutationFn: async () => {
      const postId = post.$id
      if (left.length === 0) await callApiOperation(deletePostEndpoint, { postId })
      else
        await callApiOperation(updatePostEndpoint, {
          postId,
          photos: left.map((photo) => ({ imageId: photo.id })),
        })
    },
    onSuccess: () => {
      onRemoved()
      void invalidateQueriesIncludingLoading(client, postQueryKeys.all)
    },
    onError: () =>
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      }),
  })
}
