import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { useImageUpload } from '#web/forms/use-image-uploads.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { screenPaths } from '#web/paths.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DeleteGroupSection } from './delete-group-section.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupNotFoundNotice, GroupUnavailableNotice } from './group-unavailable-notice.tsx'
import { useUpdateGroup } from './mutations.ts'
import { groupQuery, isGroupNotFoundError } from './queries.ts'

export function EditGroupScreen() {
  const { groupId = '' } = useParams()
  const query = useQuery(groupQuery(groupId))
  if (isGroupNotFoundError(query.error)) return <GroupNotFoundNotice />
  return (
    <div className="mx-auto max-w-[600px]">
      <QueryView
        query={query}
        title={en('Edit Group', 'Editar grupo')}
        skeleton={
          <div className="card space-y-5 p-5 md:p-8">
            <Skeleton className="h-13 w-full" />
            <Skeleton className="h-24 w-full" />
            <Skeleton className="aspect-video w-full" />
          </div>
        }
      >
        {(group) => <EditGroup key={groupId} group={group} />}
      </QueryView>
    </div>
  )
}

function EditGroup({ group }: { group: Group }) {
  const navigate = useNavigate()
  const goBack = useGoBack(screenPaths.group(group.$id))
  const upload = useImageUpload()
  const update = useUpdateGroup(group.$id, upload.send)

  if (!group.can.edit) {
    return (
      <GroupUnavailableNotice
        title={<PageTitle title={en('Access Denied', 'Acceso denegado')} />}
        text={en(
          'Only group administrators can edit the group.',
          'Solo las administradoras del grupo pueden editarlo.',
        )}
      />
    )
  }
  const { name, description, imageId } = group
  const showGroup = () => navigate(screenPaths.group(group.$id), { replace: true })
  return (
    <>
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title={en('Edit Group', 'Editar grupo')} />
      </div>
      <GroupForm
        initial={{ name, description, photo: imageId ? 'kept' : null }}
        currentUrl={imageId ? imageVariantUrl(imageId, 640) : undefined}
        submitLabel={en('Update Group', 'Guardar grupo')}
        upload={upload}
        onSave={async (values) => {
          await update.mutateAsync(values)
          return showGroup
        }}
        onCancel={goBack}
      />
      {group.can.delete && <DeleteGroupSection group={group} />}
    </>
  )
}
