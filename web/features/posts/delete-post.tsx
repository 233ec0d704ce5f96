import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Post } from '#contract/posts.ts'
import { deletePost } from '#contract/routes.ts'
import { call } from '#web/api.ts'
import { peopleKeys } from '#web/features/people/queries.ts'
import { IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { useAct } from '#web/use-act.ts'
import { dropPost } from './post-cache.ts'
import { isGone } from './post-query.ts'
import { postKeys } from './queries.ts'

/** Its likes, its saves and its file go with it, and it is in no list any longer. */
function useDeletePost(post: Post, onDeleted: () => void) {
  const client = useQueryClient()
  const { $id: postId } = post
  return useAct({
    mutationFn: () =>
      call(deletePost, { postId }).catch((error) => {
        // Gone already is what she wanted.
        if (!isGone(error)) throw error
      }),
    onSuccess: () => {
      onDeleted()
      client.removeQueries({ queryKey: postKeys.one(postId) })
      dropPost(client, postKeys.all, postId)
      void client.invalidateQueries({ queryKey: postKeys.feed })
      // It counts her posts.
      if (post.creator) void client.invalidateQueries({ queryKey: peopleKeys.one(post.creator.$id) })
    },
    onError: () =>
      toast({ title: 'Error', text: 'Something went wrong. Please try again.', kind: 'destructive' }),
  })
}

type Props = { post: Post; onDeleted: () => void }

export function DeletePost({ post, onDeleted }: Props) {
  const [asking, setAsking] = useState(false)
  const remove = useDeletePost(post, onDeleted)
  return (
    <>
      <IconButton
        label="Delete post"
        onClick={() => setAsking(true)}
        className="text-danger! hover:bg-danger-soft"
      >
        <Trash2 aria-hidden size={20} strokeWidth={2} />
      </IconButton>
      <ConfirmDialog
        open={asking}
        title="Delete this post?"
        text="The photo, its likes and everyone’s saves go with it. You can’t undo this."
        confirm="Delete post"
        cancel="Keep post"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onError: () => setAsking(false) })}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
