import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { ApiError } from '#web/api/client.ts'
import { hasQueryFailed } from '#web/api/query-status-predicates.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { isAbortError } from '#web/forms/save-with-upload.ts'
import { useImageUploads } from '#web/forms/use-image-uploads.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { screenPaths } from '#web/paths.ts'
import { ErrorCard } from '#web/ui/error-state.tsx'
import { preparePhoto } from '#web/ui/images/prepare-photo.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { EditConflictNotice } from '../edits/edit-conflict-notice.tsx'
import { PostMembersOnlyNotice, PostNotFoundNotice } from '../post-unavailable-notices.tsx'
import { isGroupMembershipRequiredError, isPostNotFoundError, postQuery } from '../queries.ts'
import { clearFailedPostEdit, getFailedPostEdit, storeFailedPostEdit } from './failed-edit-store.ts'
import { useUpdatePost } from './mutations.ts'
import { PostForm } from './post-form.tsx'
import type { EditPostNavigationState } from './post-form-navigation-state.ts'
import { type PostFormValues, toPostFormDraft } from './post-form-schema.ts'
import { PostFormSkeleton } from './post-form-skeleton.tsx'
import { useGroupOptions } from './use-group-options.ts'

export function EditPostScreen() {
  const { postId = '' } = useParams()
  const query = useQuery(postQuery(postId))
  const post = query.data
  if (isGroupMembershipRequiredError(query.error)) return <PostMembersOnlyNotice />
  if (isPostNotFoundError(query.error)) return <PostNotFoundNotice />
  if (post && !post.can.edit) return <Navigate to={screenPaths.post(postId)} replace />
  return (
    <div className="mx-auto max-w-[600px] two:max-w-[920px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title={en('Edit Post', 'Editar publicación')} />
      </div>
      {post ? (
        <EditPost key={postId} post={post} />
      ) : hasQueryFailed(query) ? (
        <ErrorCard onRetry={query.refetch} />
      ) : (
        <PostFormSkeleton />
      )}
    </div>
  )
}

const leavingForEveryone = {
  title: en('Make this post public?', '¿Hacer pública esta publicación?'),
  text: en(
    'This post will become visible to everyone. Comments that other members wrote on it are deleted.',
    'Esta publicación será visible para todas. Se borran los comentarios que escribieron otras integrantes.',
  ),
  confirm: en('Make public', 'Hacerla pública'),
}
const leavingForFollowers = {
  title: en('Remove this post from the group?', '¿Sacar esta publicación del grupo?'),
  text: en(
    'This post will become visible to your followers. Comments that other members wrote on it are deleted.',
    'Esta publicación será visible para tus seguidoras. Se borran los comentarios que escribieron otras integrantes.',
  ),
  confirm: en('Remove', 'Sacarla'),
}

function EditPost({ post }: { post: Post }) {
  const postId = post.$id
  const client = useQueryClient()
  const [unsaved] = useState(() => getFailedPostEdit(client, postId))
  // The form now contains the failed edit.
  useEffect(() => void clearFailedPostEdit(client, postId), [client, postId])
  const [initial] = useState(() => toPostFormDraft(post))
  const uploads = useImageUploads({ prepare: preparePhoto })
  const [changedMeanwhile, setChangedMeanwhile] = useState(false)
  /** Undefined makes saving overwrite any version. */
  const ifUpdatedAt = useRef<string | undefined>(post.$updatedAt)
  const update = useUpdatePost(postId, initial.photos, uploads)
  const groups = useGroupOptions().data ?? []
  const goBack = useGoBack(screenPaths.home())
  const leave = useLeaving(postId)
  const { isPrivate } = useSignedInMember()
  const { dialog, ask } = useConfirm({
    ...(isPrivate ? leavingForFollowers : leavingForEveryone),
    cancel: en('Keep in the group', 'Dejarla en el grupo'),
  })

  async function save(values: PostFormValues) {
    if (post.groupId && !values.groupId && !(await ask())) return undefined
    try {
      await update.mutateAsync({ ...values, ifUpdatedAt: ifUpdatedAt.current })
    } catch (error) {
      if (isAbortError(error)) return undefined
      if (isConflict(error)) return void setChangedMeanwhile(true)
      storeFailedPostEdit(client, postId, {
        ...values,
        tags: values.tags.join(', '),
        groupId: values.groupId ?? '',
      })
      toast({
        text: en(
          'Update post failed. Please try again.',
          'No pudimos guardar la publicación. Inténtalo de nuevo.',
        ),
        kind: 'destructive',
        action: { label: en('Edit again', 'Volver a editar'), run: leave.again },
      })
    }
    return leave.toPost
  }

  return (
    <>
      <PostForm
        initial={initial}
        changed={unsaved}
        groups={withGroup(groups, post)}
        postId={postId}
        submitLabel={en('Update Post', 'Guardar publicación')}
        uploads={uploads}
        onSave={save}
        onCancel={goBack}
        obstacle={(saving, submit) =>
          changedMeanwhile && (
            <EditConflictNotice
              postId={postId}
              busy={saving}
              onSaveAnyway={() => {
                ifUpdatedAt.current = undefined
                submit()
              }}
            />
          )
        }
      />
      {dialog}
    </>
  )
}

function useLeaving(postId: string) {
  const navigate = useNavigate()
  const { fromPost } = (useLocation().state as EditPostNavigationState) ?? {}
  return {
    toPost: () => void (fromPost ? navigate(-1) : navigate(screenPaths.post(postId), { replace: true })),
    again: () =>
      void navigate(screenPaths.updatePost(postId), {
        state: { fromPost: true } satisfies EditPostNavigationState,
      }),
  }
}

/** The list of groups may not have loaded. */
const withGroup = (groups: readonly { $id: string; name: string }[], { groupId, group }: Post) =>
  groupId && !groups.some(({ $id }) => $id === groupId)
    ? [{ $id: groupId, name: group?.name ?? en('A group you left', 'Un grupo del que saliste') }, ...groups]
    : groups

const isConflict = (error: unknown) => error instanceof ApiError && error.type === 'document_update_conflict'
