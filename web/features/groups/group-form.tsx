import { Lock } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { en } from '#contract/language.ts'
import { groupNameLengthLimits, maxGroupDescriptionLength } from '#contract/limits.ts'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { FormActions } from '#web/forms/form-actions.tsx'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { PhotoField } from '#web/forms/photo-field.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { type FormSaveHandler, useEditForm } from '#web/forms/use-edit-form.ts'
import type { ImageUpload } from '#web/forms/use-image-uploads.ts'
import { Button } from '#web/ui/button.tsx'
import { type GroupFormDraft, type GroupFormValues, groupFormSchema } from './group-form-schema.ts'

type Props = {
  initial: GroupFormDraft
  currentUrl?: string
  submitLabel: string
  upload: ImageUpload
  onSave: FormSaveHandler<GroupFormValues>
  onCancel: () => void
}

export function GroupForm(props: Props) {
  const { initial, currentUrl, submitLabel, upload, onSave, onCancel } = props
  const { register, control, errors, saving, setValue, guard, submit, picking } = useEditForm({
    draft: groupFormSchema,
    initial,
    onSave,
    picture: 'photo',
    upload,
  })
  const [name, description, photo] = useWatch({ control, name: ['name', 'description', 'photo'] })

  return (
    <form noValidate onSubmit={submit} className="card p-5 md:p-8">
      <div className="space-y-[18px] **:scroll-mb-24">
        <LabelledFormField
          label={en('Name', 'Nombre')}
          error={errors.name?.message}
          counter={<CharacterCounter length={name.trim().length} max={groupNameLengthLimits.max} />}
        >
          {(field) => <TextInput {...register('name')} {...field} autoComplete="off" />}
        </LabelledFormField>
        <LabelledFormField
          label={en('Description', 'Descripción')}
          error={errors.description?.message}
          counter={<CharacterCounter length={description.trim().length} max={maxGroupDescriptionLength} />}
        >
          {(field) => <TextArea {...register('description')} {...field} rows={3} />}
        </LabelledFormField>
        <div>
          <PhotoField
            control={control}
            name="photo"
            error={errors.photo?.message}
            currentUrl={photo === 'kept' ? currentUrl : undefined}
            disabled={saving}
            picking={picking}
            className="aspect-video w-full"
          />
          {photo && !saving && (
            <Button
              kind="ghost"
              size="sm"
              className="mt-2"
              onClick={() => {
                upload.cancel()
                setValue('photo', null, { shouldDirty: true })
              }}
            >
              {en('Remove photo', 'Quitar foto')}
            </Button>
          )}
        </div>
        <p className="flex gap-3 rounded-photo bg-accent-soft p-4 text-label font-normal text-on-accent-soft">
          <Lock aria-hidden size={20} strokeWidth={2} className="flex-none" />
          {en(
            'This group is private. People ask to join and you decide. Only members see its posts.',
            'Este grupo es privado. Las demás piden unirse y tú decides. Solo las integrantes ven sus publicaciones.',
          )}
        </p>
      </div>

      <FormActions submitLabel={submitLabel} saving={saving} onCancel={() => guard.leave(onCancel)} />
      {guard.dialog}
    </form>
  )
}
