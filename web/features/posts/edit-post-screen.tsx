import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import type { Post } from '#contract/posts.ts'
import { pictureUrl } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { hasFailed } from '#web/query-state.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { useGoBack } from '#web/use-go-back.ts'
import { useUpload } from '#web/use-upload.ts'
import { useGroupChoices } from './group-choices.ts'
import { dropDraft, keepDraft, keptDraft } from './kept-drafts.ts'
import { draftOf, type EditedPostValues, editedPostDraft } from './post-draft.ts'
import { PostForm } from './post-form.tsx'
import { PostFormSkeleton } from './post-form-skeleton.tsx'
import { PostClosed, PostNotFound } from './post-notice.tsx'
import { isClosed, isGone, postQuery } from './post-query.ts'
import { useUpdatePost, wasCancelled } from './saving.ts'
import { useQuestion } from './use-question.tsx'

/** Handed over in the navigation's state. */
export type EditPostState = {
  /** She came from the post itself, which is one step back. */
  fromPost?: boolean
} | null

/** The post form, filled in; for those alone who may edit the post (conflict C-52). */
export function EditPostScreen() {
  const { postId = '' } = useParams()
  const query = useQuery(postQuery(postId))
  const post = query.data
  if (isClosed(query.error)) return <PostClosed />
  if (isGone(query.error)) return <PostNotFound />
  if (post && !post.can.edit) return <Navigate to={paths.post(postId)} replace />
  return (
    <div className="mx-auto max-w-[600px] two:max-w-[920px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Edit Post" />
      </div>
      {post ? (
        <EditPost key={postId} post={post} />
      ) : hasFailed(query) ? (
        <div className="card">
          <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
        </div>
      ) : (
        <PostFormSkeleton />
      )}
    </div>
  )
}

function EditPost({ post }: { post: Post }) {
  const postId = post.$id
  const client = useQueryClient()
  const [unsaved] = useState(() => keptDraft(client, postId))
  // The form holds it from here on, and asks before it is dropped.
  useEffect(() => void dropDraft(client, postId), [client, postId])
  const upload = useUpload()
  const update = useUpdatePost(postId, upload.send)
  const groups = useGroupChoices().data ?? []
  const goBack = useGoBack(paths.home())
  const leave = useLeaving(postId)
  const { dialog, ask } = useQuestion({
    title: 'Make this post public?',
    text: 'This post will become visible to everyone.',
    confirm: 'Make public',
    cancel: 'Keep in the group',
  })

  async function save(values: EditedPostValues) {
    if (post.groupId && !values.groupId && !(await ask())) return undefined
    try {
      await update.mutateAsync(values)
    } catch (error) {
      if (wasCancelled(error)) return undefined
      keepDraft(client, postId, {
        ...values,
        tags: values.tags.join(', '),
        groupId: values.groupId ?? '',
      })
      toast({
        text: 'Update post failed. Please try again.',
        kind: 'destructive',
        action: { label: 'Edit again', run: leave.again },
      })
    }
    return leave.toPost
  }

  return (
    <>
      <PostForm
        draft={editedPostDraft}
        initial={draftOf(post)}
        changed={unsaved}
        currentUrl={pictureUrl(post.imageId, 640)}
        groups={withGroup(groups, post.group)}
        submitLabel="Update Post"
        upload={upload.state}
        onCancelUpload={upload.cancel}
        onSave={save}
        onCancel={goBack}
      />
      {dialog}
    </>
  )
}

/** Saved or not, the post follows (spec §2 Edit Post), and never the same post twice in the history (conflict C-49). */
function useLeaving(postId: string) {
  const navigate = useNavigate()
  const { fromPost } = (useLocation().state as EditPostState) ?? {}
  return {
    toPost: () => void (fromPost ? navigate(-1) : navigate(paths.post(postId), { replace: true })),
    again: () =>
      void navigate(paths.updatePost(postId), { state: { fromPost: true } satisfies EditPostState }),
  }
}

/** The post's own group is a choice also before the others are there. */
const withGroup = (groups: readonly { $id: string; name: string }[], own: Post['group']) =>
  own && !groups.some((group) => group.$id === own.$id) ? [own, ...groups] : groups
