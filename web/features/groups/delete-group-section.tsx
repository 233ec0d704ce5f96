import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useDeleteGroup } from './mutations.ts'

/** The server also compares the typed group name. */
export function DeleteGroupSection({ group }: { group: Group }) {
  const navigate = useNavigate()
  const remove = useDeleteGroup(group.$id, () => navigate(screenPaths.groups(), { replace: true }))
  const [confirming, setConfirming] = useState(false)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()

  function stop() {
    setConfirming(false)
    setTyped('')
    setError(undefined)
  }

  function confirm() {
    if (typed.trim() !== group.name)
      return setError(en('This is not the group’s name', 'Ese no es el nombre del grupo'))
    remove.mutate(typed, {
      onError: (refused) => {
        if (!(refused instanceof ApiError && refused.field === 'name')) stop()
      },
    })
  }

  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-3 px-2">
      <p className="text-label font-normal text-text-2">
        {en(
          'Deleting the group deletes its posts, for everyone.',
          'Borrar el grupo borra sus publicaciones, para todas.',
        )}
      </p>
      <Button kind="outline" className="text-danger!" onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden size={18} strokeWidth={2} />
        {en('Delete Group', 'Borrar grupo')}
      </Button>
      <ConfirmDialog
        open={confirming}
        title={en('Delete this group?', '¿Borrar este grupo?')}
        text={en(
          'Its posts, members and requests are deleted too. You can’t undo this.',
          'También se borran sus publicaciones, integrantes y solicitudes. No se puede deshacer.',
        )}
        confirm={en('Delete group', 'Borrar grupo')}
        cancel={en('Keep group', 'Conservar el grupo')}
        danger
        busy={remove.isPending}
        onConfirm={confirm}
        onCancel={stop}
      >
        <div className="mb-6 wrap-anywhere">
          <LabelledFormField
            label={en(`Type “${group.name}” to confirm`, `Escribe «${group.name}» para confirmar`)}
            error={error}
          >
            {(field) => (
              <TextInput
                {...field}
                value={typed}
                autoComplete="off"
                onChange={(event) => {
                  setTyped(event.target.value)
                  setError(undefined)
                }}
              />
            )}
          </LabelledFormField>
        </div>
      </ConfirmDialog>
    </div>
  )
}
