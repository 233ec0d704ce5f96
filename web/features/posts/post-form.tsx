import { type FormEvent, useEffect, useState } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { captionLength, locationLength } from '#contract/limits.ts'
import { Field, Select, TextArea, TextInput } from '#web/ui/field.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { ImagePicker } from '#web/ui/image-picker.tsx'
import { UploadBar } from '#web/ui/upload-bar.tsx'
import { type Save, useDraftForm } from '#web/use-draft-form.ts'
import type { UploadState } from '#web/use-upload.ts'
import type { GroupChoice } from './group-choices.ts'
import type { PostDraft } from './post-draft.ts'

type Props<Values> = {
  /** Checks what the form holds, and makes of it what is saved. */
  draft: z.ZodMiniType<Values, PostDraft>
  initial: PostDraft
  /** Unsaved changes on top of `initial`. */
  changed?: PostDraft
  /** The picture there is already. */
  currentUrl?: string
  groups: readonly GroupChoice[]
  submitLabel: string
  upload: UploadState
  onCancelUpload: () => void
  onSave: Save<Values>
  onCancel: () => void
}

/** Caption, photo, location, tags and group, in that order (spec §2 Create Post). */
export function PostForm<Values>(props: Props<Values>) {
  const { draft, initial, changed, currentUrl, groups, submitLabel, upload } = props
  const { onCancelUpload, onSave, onCancel } = props
  const { register, control, errors, saving, reset, guard, submit, picking, trigger, setFocus } =
    useDraftForm({
      draft,
      initial,
      onSave,
      picture: 'file',
      blame: ({ type }) => fieldByRefusal[type],
    })
  const [caption, location, groupId] = useWatch({ control, name: ['caption', 'location', 'groupId'] })
  const { choices, lost } = useLostGroup(groups, groupId)
  useEffect(() => {
    if (changed) reset(changed, { keepDefaultValues: true })
  }, [changed, reset])

  /** Nothing is sent before she has chosen anew; what else is wrong is said along with it. */
  async function refuse(event: FormEvent) {
    event.preventDefault()
    await trigger()
    setFocus('groupId')
  }

  return (
    <form noValidate onSubmit={lost ? refuse : submit} className="card p-5 md:p-8">
      <div className="grid gap-x-8 gap-y-[18px] **:scroll-mb-24 two:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] two:grid-rows-[auto_auto_auto_1fr]">
        <Field
          label="Caption"
          error={errors.caption?.message}
          counter={{ length: caption.trim().length, max: captionLength.max }}
        >
          {(field) => <TextArea {...register('caption')} {...field} rows={6} />}
        </Field>

        <div className="two:col-start-2 two:row-span-4 two:row-start-1">
          <Field label="Photo" error={errors.file?.message}>
            {(field) => (
              <Controller
                control={control}
                name="file"
                render={({ field: { ref, value, onChange } }) => (
                  <div className="aspect-4/3 w-full two:aspect-square">
                    <ImagePicker
                      {...field}
                      ref={ref}
                      file={value}
                      currentUrl={currentUrl}
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
        </div>

        <Field
          label="Location"
          hint="Where was this?"
          error={errors.location?.message}
          counter={{ length: location.trim().length, max: locationLength.max }}
        >
          {(field) => <TextInput {...register('location')} {...field} autoComplete="off" />}
        </Field>
        <Field label="Tags" hint="Separate tags with commas" error={errors.tags?.message}>
          {(field) => <TextInput {...register('tags')} {...field} autoComplete="off" autoCapitalize="none" />}
        </Field>
        <Field label="Group" error={lost ? noLonger : errors.groupId?.message}>
          {(field) => (
            // With the value it is given, it shows what will be sent, whichever choices come and go.
            <Select {...register('groupId')} {...field} value={groupId}>
              <option value="">Public Post</option>
              {choices.map((group) => (
                <option key={group.$id} value={group.$id}>
                  {group.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>

      <FormActions submitLabel={submitLabel} saving={saving} onCancel={() => guard.leave(onCancel)} />
      {guard.dialog}
    </form>
  )
}

const noLonger = 'You’re no longer in this group. Choose where to post.'

/**
 * The group that is chosen stays a choice when she is taken out of it while she writes: what is meant for a group must not
 * look like, or become, a post for everyone.
 */
function useLostGroup(groups: readonly GroupChoice[], groupId: string) {
  const chosen = groups.find(({ $id }) => $id === groupId)
  const [known, setKnown] = useState(chosen)
  if (chosen && chosen !== known) setKnown(chosen)
  const lost = !chosen && known?.$id === groupId ? known : undefined
  return { choices: lost ? [...groups, lost] : groups, lost }
}

/** Refusals that are about a field without naming it. */
const fieldByRefusal: Partial<Record<string, keyof PostDraft>> = {
  post_image_not_found: 'file',
  group_membership_required: 'groupId',
}
