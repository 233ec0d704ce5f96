import { useLocation, useNavigate } from 'react-router'
import { paths } from '#web/paths.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useGoBack } from '#web/use-go-back.ts'
import { useUpload } from '#web/use-upload.ts'
import { type GroupChoice, useGroupChoices } from './group-choices.ts'
import { type PostValues, postDraft } from './post-draft.ts'
import { PostForm } from './post-form.tsx'
import { PostFormSkeleton } from './post-form-skeleton.tsx'
import { useCreatePost } from './saving.ts'

/** What the group page hands over in the navigation's state: the group its post is for. */
export type CreatePostState = { groupId?: string } | null

export function CreatePostScreen() {
  const choices = useGroupChoices()
  const { key, state } = useLocation()
  const { groupId } = (state as CreatePostState) ?? {}
  return (
    <div className="mx-auto max-w-[600px] two:max-w-[920px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Create Post" />
      </div>
      {groupId && !isSettled(choices, groupId) ? (
        <Waiting query={choices} />
      ) : (
        <NewPost key={key} groups={choices.data ?? []} wantedGroup={groupId} />
      )}
    </div>
  )
}

/** What is meant for a group must not begin as a post for everyone: a list from before she joined does not have it. */
const isSettled = ({ data, isFetchedAfterMount, isError }: Choices, groupId: string) =>
  data?.some((group) => group.$id === groupId) || (isFetchedAfterMount && !isError)

type Choices = ReturnType<typeof useGroupChoices>

function Waiting({ query }: { query: Choices }) {
  return query.isError && !query.isFetching ? (
    <div className="card">
      <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
    </div>
  ) : (
    <PostFormSkeleton />
  )
}

function NewPost({ groups, wantedGroup }: { groups: readonly GroupChoice[]; wantedGroup?: string }) {
  const navigate = useNavigate()
  const goBack = useGoBack(paths.home())
  const upload = useUpload()
  const create = useCreatePost(upload.send)
  // An unknown or somebody else's group leaves the post public.
  const preselected = groups.find((group) => group.$id === wantedGroup)?.$id ?? ''

  /** Back to where the form was opened for: the group's page, otherwise Home (conflict C-21). */
  function showPost({ groupId }: PostValues) {
    navigate(groupId && groupId === preselected ? paths.group(groupId) : paths.home(), { replace: true })
  }

  return (
    <PostForm
      draft={postDraft}
      initial={{ caption: '', file: null, location: '', tags: '', groupId: preselected }}
      groups={groups}
      submitLabel="Create Post"
      upload={upload.state}
      onCancelUpload={upload.cancel}
      onSave={async (values) => {
        await create.mutateAsync(values)
        return () => showPost(values)
      }}
      onCancel={goBack}
    />
  )
}
