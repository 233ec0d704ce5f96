/** Shows the form of a new post, for everybody or for one of the member's groups. */
import { useLocation, useNavigate } from 'react-router'
import { useImageUploads } from '#web/forms/use-image-uploads.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { skipNextScrollRestoration } from '#web/navigation/use-scroll-restoration.ts'
import { screenPaths } from '#web/paths.ts'
import { ErrorCard } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useCreatePost } from './mutations.ts'
import { PostForm } from './post-form.tsx'
import type { CreatePostNavigationState } from './post-form-navigation-state.ts'
import { createEmptyPostFormDraft, type PostFormValues } from './post-form-schema.ts'
import { PostFormSkeleton } from './post-form-skeleton.tsx'
import { type GroupOption, useGroupOptions } from './use-group-options.ts'

export function CreatePostScreen() {
  const choices = useGroupOptions()
  const { key, state } = useLocation()
  const { groupId, from } = (state as CreatePostNavigationState) ?? {}
  return (
    <div className="mx-auto max-w-[600px] two:max-w-[920px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Create Post" />
      </div>
      {groupId && !isSettled(choices, groupId) ? (
        <Waiting query={choices} />
      ) : (
        <NewPost key={key} groups={choices.data ?? []} wantedGroup={groupId} from={from} />
      )}
    </div>
  )
}

/**
 * Says whether the list of groups is known well enough: one from before joining the group does not have it, and what
 * is meant for a group must not begin as a public post.
 */
const isSettled = ({ data, isFetchedAfterMount, isError }: Choices, groupId: string) =>
  data?.some((group) => group.$id === groupId) || (isFetchedAfterMount && !isError)

type Choices = ReturnType<typeof useGroupOptions>

function Waiting({ query }: { query: Choices }) {
  return query.isError && !query.isFetching ? <ErrorCard onRetry={query.refetch} /> : <PostFormSkeleton />
}

type NewPostProps = { groups: readonly GroupOption[]; wantedGroup?: string; from?: string }

function NewPost({ groups, wantedGroup, from }: NewPostProps) {
  const navigate = useNavigate()
  const goBack = useGoBack(screenPaths.home())
  const uploads = useImageUploads()
  const create = useCreatePost(uploads)
  // An unknown group, or one the member is not in, leaves the post public.
  const preselected = groups.find((group) => group.$id === wantedGroup)?.$id ?? ''

  /**
   * Leaves the form for the page of the group that it was opened from, if the post is in that group, otherwise for Home;
   * Back does not meet the same page twice.
   */
  function leaveForm({ groupId }: PostFormValues) {
    const next = groupId && groupId === preselected ? screenPaths.group(groupId) : screenPaths.home()
    if (next !== from) return void navigate(next, { replace: true })
    skipNextScrollRestoration()
    navigate(-1)
  }

  return (
    <PostForm
      initial={createEmptyPostFormDraft(preselected)}
      groups={groups}
      submitLabel="Create Post"
      uploads={uploads}
      onSave={async (values) => {
        await create.mutateAsync(values)
        return () => leaveForm(values)
      }}
      onCancel={goBack}
    />
  )
}
