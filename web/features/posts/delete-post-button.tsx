import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deletePostEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { removePostFromCachedLists } from './post-cache.ts'
import { isPostNotFoundError } from './queries.ts'

function useDeletePost(post: Post, onDeleted: () => void) {
  const client = useQueryClient()
  const { $id: postId } = post
  return useSingleFlightMutation({
    mutationFn: () =>
      callApiOperation(deletePostEndpoint, { postId }).catch((error) => {
        // A post that no longer exists is what the member wanted.
        if (!isPostNotFoundError(error)) throw error
      }),
    onSuccess: () => {
      onDeleted()
      client.removeQueries({ queryKey: postQueryKeys.one(postId) })
      removePostFromCachedLists(client, postQueryKeys.all, postId)
      void client.invalidateQueries({ queryKey: postQueryKeys.feed })
      // The profile shows the number of posts.
      if (post.creator) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(post.creator.$id) })
    },
    onError: () =>
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      }),
  })
}

type Props = { post: Post; onDeleted: () => void }

export function DeletePostButton({ post, onDeleted }: Props) {
  const [confirming, setConfirming] = useState(false)
  const remove = useDeletePost(post, onDeleted)
  return (
    <>
      <IconButton
        label={en('Delete post', 'Borrar publicación')}
        onClick={() => setConfirming(true)}
        className="text-danger! hover:bg-danger-soft"
      >
        <Trash2 aria-hidden size={20} strokeWidth={2} />
      </IconButton>
      <ConfirmDialog
        open={confirming}
        title={en('Delete this post?', '¿Borrar esta publicación?')}
        text={en(
          'Its photos, likes and everyone’s saves are deleted too. You can’t undo this.',
          'También se borran sus fotos, sus me gusta y lo que guardaron las demás. No se puede deshacer.',
        )}
        confirm={en('Delete post', 'Borrar publicación')}
        cancel={en('Keep post', 'Conservar la publicación')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onError: () => setConfirming(false) })}
        onCancel={() => setConfirming(false)}
      />
    </>
  )
}
