import { useNavigate } from 'react-router'
import { paths } from '#web/paths.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useGoBack } from '#web/use-go-back.ts'
import { useUpload } from '#web/use-upload.ts'
import { GroupForm } from './group-form.tsx'
import { useCreateGroup } from './saving.ts'

export function CreateGroupScreen() {
  const navigate = useNavigate()
  const goBack = useGoBack(paths.groups())
  const upload = useUpload()
  const create = useCreateGroup(upload.send)
  const showList = () => navigate(paths.groups(), { replace: true })
  return (
    <div className="mx-auto max-w-[600px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Create Group" />
      </div>
      <GroupForm
        initial={{ name: '', description: '', photo: null }}
        submitLabel="Create Group"
        upload={upload.state}
        onCancelUpload={upload.cancel}
        onSave={async (values) => {
          await create.mutateAsync(values)
          return showList
        }}
        onCancel={goBack}
      />
    </div>
  )
}
