import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import type { Group } from '#contract/groups.ts'
import { pictureUrl } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { hasFailed } from '#web/query-state.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { useGoBack } from '#web/use-go-back.ts'
import { useUpload } from '#web/use-upload.ts'
import { DeleteGroup } from './delete-group.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupNotFound, Notice } from './notice.tsx'
import { groupQuery, isGone } from './queries.ts'
import { useUpdateGroup } from './saving.ts'

/** The admin's: name, description and photo of the group, and its end. */
export function EditGroupScreen() {
  const { groupId = '' } = useParams()
  const query = useQuery(groupQuery(groupId))
  if (isGone(query.error)) return <GroupNotFound />
  return (
    <div className="mx-auto max-w-[600px]">
      {query.data ? (
        <EditGroup key={groupId} group={query.data} />
      ) : hasFailed(query) ? (
        <div className="card">
          <PageTitle title="Edit Group" hidden />
          <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
        </div>
      ) : (
        <SkeletonRegion>
          <div className="card space-y-5 p-5 md:p-8">
            <Skeleton className="h-13 w-full" />
            <Skeleton className="h-24 w-full" />
            <Skeleton className="aspect-video w-full" />
          </div>
        </SkeletonRegion>
      )}
    </div>
  )
}

function EditGroup({ group }: { group: Group }) {
  const navigate = useNavigate()
  const goBack = useGoBack(paths.group(group.$id))
  const upload = useUpload()
  const update = useUpdateGroup(group.$id, upload.send)

  if (!group.can.edit) {
    return (
      <Notice
        title={<PageTitle title="Access Denied" />}
        text="Only group administrators can edit the group."
      />
    )
  }
  const { name, description, imageId } = group
  const showGroup = () => navigate(paths.group(group.$id), { replace: true })
  return (
    <>
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Edit Group" />
      </div>
      <GroupForm
        initial={{ name, description, photo: imageId ? 'kept' : null }}
        currentUrl={imageId ? pictureUrl(imageId, 640) : undefined}
        submitLabel="Update Group"
        upload={upload.state}
        onCancelUpload={upload.cancel}
        onSave={async (values) => {
          await update.mutateAsync(values)
          return showGroup
        }}
        onCancel={goBack}
      />
      {group.can.delete && <DeleteGroup group={group} />}
    </>
  )
}
