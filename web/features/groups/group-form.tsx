import { Lock } from 'lucide-react'
import { Controller, useWatch } from 'react-hook-form'
import { groupDescriptionLength, groupNameLength } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea, TextInput } from '#web/ui/field.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { ImagePicker } from '#web/ui/image-picker.tsx'
import { UploadBar } from '#web/ui/upload-bar.tsx'
import { type Save, useDraftForm } from '#web/use-draft-form.ts'
import type { UploadState } from '#web/use-upload.ts'
import { type GroupDraft, type GroupValues, groupDraft } from './group-draft.ts'

type Props = {
  initial: GroupDraft
  /** Of the picture that 'kept' stands for. */
  currentUrl?: string
  submitLabel: string
  upload: UploadState
  onCancelUpload: () => void
  onSave: Save<GroupValues>
  onCancel: () => void
}

/** Name, description, photo, and what it means that groups are private (spec §2 Create Group). */
export function GroupForm(props: Props) {
  const { initial, currentUrl, submitLabel, upload, onCancelUpload, onSave, onCancel } = props
  const { register, control, errors, saving, setValue, guard, submit, picking } = useDraftForm({
    draft: groupDraft,
    initial,
    onSave,
    picture: 'photo',
  })
  const [name, description, photo] = useWatch({ control, name: ['name', 'description', 'photo'] })

  return (
    <form noValidate onSubmit={submit} className="card p-5 md:p-8">
      <div className="space-y-[18px] **:scroll-mb-24">
        <Field
          label="Name"
          error={errors.name?.message}
          counter={{ length: name.trim().length, max: groupNameLength.max }}
        >
          {(field) => <TextInput {...register('name')} {...field} autoComplete="off" />}
        </Field>
        <Field
          label="Description"
          error={errors.description?.message}
          counter={{ length: description.trim().length, max: groupDescriptionLength }}
        >
          {(field) => <TextArea {...register('description')} {...field} rows={3} />}
        </Field>
        <div>
          <Field label="Photo" error={errors.photo?.message}>
            {(field) => (
              <Controller
                control={control}
                name="photo"
                render={({ field: { ref, value, onChange } }) => (
                  <div className="aspect-video w-full">
                    <ImagePicker
                      {...field}
                      ref={ref}
                      file={value instanceof File ? value : null}
                      currentUrl={value === 'kept' ? currentUrl : undefined}
                      disabled={saving}
                      {...picking(onChange)}
                    >
                      {upload.phase !== 'idle' && <UploadBar {...upload} onCancel={onCancelUpload} />}
                    </ImagePicker>
                  </div>
                )}
              />
            )}
          </Field>
          {photo && !saving && (
            <Button
              kind="ghost"
              size="sm"
              className="mt-2"
              onClick={() => setValue('photo', null, { shouldDirty: true })}
            >
              Remove photo
            </Button>
          )}
        </div>
        <p className="flex gap-3 rounded-photo bg-accent-soft p-4 text-label font-normal text-on-accent-soft">
          <Lock aria-hidden size={20} strokeWidth={2} className="flex-none" />
          This group is private. People ask to join and you decide. Only members see its posts.
        </p>
      </div>

      <FormActions submitLabel={submitLabel} saving={saving} onCancel={() => guard.leave(onCancel)} />
      {guard.dialog}
    </form>
  )
}
