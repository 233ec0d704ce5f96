import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { takePostOutOfGroupEndpoint, takePostsOutOfGroupEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { peopleQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'

type Which = 'one' | 'all'

/** Removes posts from the group. Until the server confirms, lists may still show them there. */
function useTakeAlong(post: Post, groupId: string, onSettled: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: async (which: Which) => {
      if (which === 'one') await callApiOperation(takePostOutOfGroupEndpoint, { postId: post.$id })
      else await callApiOperation(takePostsOutOfGroupEndpoint, { groupId })
    },
    onSuccess: (_, which) => {
      onSettled()
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
      if (post.creator) void client.invalidateQueries({ queryKey: peopleQueryKeys.one(post.creator.$id) })
      toast({
        title: en('Removed from the group', 'Sacada del grupo'),
        text:
          which === 'one'
            ? en('Only you see this post now.', 'Ahora solo tú ves esta publicación.')
            : en('Only you see your posts from there now.', 'Ahora solo tú ves tus publicaciones de allí.'),
      })
    },
    onError: () => {
      onSettled()
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    },
  })
}

export function LeftGroupPostButtons({ post, groupId }: { post: Post; groupId: string }) {
  const [confirming, setConfirming] = useState<Which>()
  const take = useTakeAlong(post, groupId, () => setConfirming(undefined))
  const all = confirming === 'all'
  const name = post.group?.name ?? en('a group you left', 'un grupo del que saliste')
  return (
    <div className="mb-3.5 flex flex-wrap gap-2.5">
      <Button kind="quiet" onClick={() => setConfirming('one')}>
        {en('Remove from the group', 'Sacar del grupo')}
      </Button>
      <Button kind="quiet" onClick={() => setConfirming('all')}>
        {en('Remove all my posts from ', 'Sacar todas mis publicaciones de ')}
        {name}
      </Button>
      <ConfirmDialog
        open={confirming !== undefined}
        title={
          all
            ? en(`Remove all your posts from ${name}?`, `¿Sacar todas tus publicaciones de ${name}?`)
            : en(`Remove this post from ${name}?`, `¿Sacar esta publicación de ${name}?`)
        }
        text={en(
          `Only you will see ${all ? 'them' : 'it'}. You are not in the group, so you can’t put ${all ? 'them' : 'it'} back.`,
          `Solo tú ${all ? 'las' : 'la'} verás. No estás en el grupo, así que no podrás devolver${all ? 'las' : 'la'}.`,
        )}
        confirm={all ? en('Remove all', 'Sacarlas todas') : en('Remove', 'Sacarla')}
        cancel={en('Cancel', 'Cancelar')}
        busy={take.isPending}
        onConfirm={() => confirming && take.mutate(confirming)}
        onCancel={() => setConfirming(undefined)}
      />
    </div>
  )
}
