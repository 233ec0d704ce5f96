import { type FormEvent, useId, useRef, useState } from 'react'
import { passkeyNameLengthLimits } from '#contract/account/passkey-limits.ts'
import type { Passkey } from '#contract/account/passkeys.ts'
import { en } from '#contract/language.ts'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { useRenamePasskey } from './passkey-mutations.ts'

export function PasskeyNameDialog({
  passkey,
  onClose,
}: {
  passkey: Passkey | undefined
  onClose: () => void
}) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Modal
      open={passkey !== undefined}
      role="dialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      firstFocus={field}
      onClose={onClose}
    >
      <div className="p-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem]">
          {en('Name your passkey', 'Ponle nombre a tu llave')}
        </h2>
        <p id={`${id}-text`} className="mt-2 mb-6 text-pretty text-text-2">
          {en('So you can identify it later.', 'Para que luego la reconozcas.')}
        </p>
        {passkey && <NameForm key={passkey.$id} passkey={passkey} field={field} onClose={onClose} />}
      </div>
    </Modal>
  )
}

function NameForm({
  passkey,
  field,
  onClose,
}: {
  passkey: Passkey
  field: React.RefObject<HTMLInputElement | null>
  onClose: () => void
}) {
  const rename = useRenamePasskey(onClose)
  const [failure, setFailure] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setFailure(name === '' ? en('Give it a name.', 'Ponle un nombre.') : undefined)
    if (name === passkey.name) onClose()
    else if (name !== '') rename.mutate({ passkeyId: passkey.$id, name })
  }

  return (
    <form onSubmit={submit} noValidate>
      <LabelledFormField label={en('Name', 'Nombre')} error={failure}>
        {(control) => (
          <TextInput
            {...control}
            ref={field}
            name="name"
            autoComplete="off"
            maxLength={passkeyNameLengthLimits.max}
            defaultValue={passkey.name}
          />
        )}
      </LabelledFormField>
      <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
        <Button kind="ghost" onClick={onClose}>
          {en('Cancel', 'Cancelar')}
        </Button>
        <Button type="submit" busy={rename.isPending}>
          {en('Save', 'Guardar')}
        </Button>
      </div>
    </form>
  )
}
