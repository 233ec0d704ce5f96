import { useNavigate } from 'react-router'
import { en } from '#contract/language.ts'
import { useImageUpload } from '#web/forms/use-image-uploads.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { screenPaths } from '#web/paths.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { GroupForm } from './group-form.tsx'
import { useCreateGroup } from './mutations.ts'

export function CreateGroupScreen() {
  const navigate = useNavigate()
  const goBack = useGoBack(screenPaths.groups())
  const upload = useImageUpload()
  const create = useCreateGroup(upload.send, ({ $id }) => navigate(screenPaths.group($id)))
  const showList = () => navigate(screenPaths.groups(), { replace: true })
  return (
    <div className="mx-auto max-w-[600px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title={en('Create Group', 'Crear grupo')} />
      </div>
      <GroupForm
        initial={{ name: '', description: '', photo: null }}
        submitLabel={en('Create Group', 'Crear grupo')}
        upload={upload}
        onSave={async (values) => {
          await create.mutateAsync(values)
          return showList
        }}
        onCancel={goBack}
      />
    </div>
  )
}
