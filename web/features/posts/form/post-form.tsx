import { type FormEvent, useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { captionLengthLimits, locationLengthLimits } from '#contract/limits.ts'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { FormActions } from '#web/forms/form-actions.tsx'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Select } from '#web/forms/select.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { type FormSaveHandler, useEditForm } from '#web/forms/use-edit-form.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import { AudiencePreview } from '../audience/audience-preview.tsx'
import { LocationWarning } from '../audience/location-warning.tsx'
import { DescriptionReminder } from './photos/description-reminder.tsx'
import { PhotosField } from './photos/photos-field.tsx'
import {
  type DraftPhoto,
  type PostFormDraft,
  type PostFormValues,
  postFormSchema,
} from './post-form-schema.ts'
import type { GroupOption } from './use-group-options.ts'

type Props = {
  initial: PostFormDraft
  /** Unsaved changes on top of `initial`. */
  changed?: PostFormDraft
  groups: readonly GroupOption[]
  /** Of the post that is edited. */
  postId?: string
  submitLabel: string
  uploads: ImageUploads
  onSave: FormSaveHandler<PostFormValues>
  onCancel: () => void
}

/** The post form: caption, photos, location, tags and group. */
export function PostForm(props: Props) {
  const { initial, changed, groups, postId, submitLabel, uploads } = props
  const { onSave, onCancel } = props
  const form = useEditForm({
    draft: postFormSchema,
    initial,
    onSave,
    picture: 'photos',
    upload: uploads,
    blame: ({ type }) => fieldByRefusal[type],
  })
  const { register, control, errors, saving, reset, guard, submit, picking, trigger, setFocus } = form
  const [caption, location, groupId, photos] = useWatch({
    control,
    name: ['caption', 'location', 'groupId', 'photos'],
  })
  const [describing, setDescribing] = useState<{ key: string }>()
  const { choices, lost } = useLostGroup(groups, groupId)
  useEffect(() => {
    if (changed) reset(changed, { keepDefaultValues: true })
  }, [changed, reset])

  /** Refuses to submit until a group has been chosen anew, and reports the other errors along with it. */
  async function refuse(event: FormEvent) {
    event.preventDefault()
    await trigger()
    setFocus('groupId')
  }

  function replaceLocation(broader: string) {
    form.setValue('location', broader, { shouldDirty: true, shouldValidate: errors.location !== undefined })
    setFocus('location')
  }

  return (
    <form noValidate onSubmit={lost ? refuse : submit} className="card p-5 md:p-8">
      <div className="grid grid-cols-1 gap-x-8 gap-y-[18px] **:scroll-mb-24 two:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] two:grid-rows-[auto_auto_auto_1fr]">
        <LabelledFormField
          label="Caption"
          error={errors.caption?.message}
          counter={<CharacterCounter length={caption.trim().length} max={captionLengthLimits.max} />}
        >
          {(field) => (
            <TextArea
              {...register('caption')}
              {...field}
              rows={2}
              className="field-sizing-content max-h-72 min-h-18 two:min-h-[182px]"
            />
          )}
        </LabelledFormField>

        <div className="two:col-start-2 two:row-span-4 two:row-start-1">
          <PhotosField
            control={control}
            read={() => form.getValues('photos')}
            errors={errors}
            disabled={saving}
            picking={picking}
            describing={describing}
          />
        </div>

        <div>
          <LabelledFormField
            label="Location"
            hint="Where was this?"
            error={errors.location?.message}
            counter={<CharacterCounter length={location.trim().length} max={locationLengthLimits.max} />}
          >
            {(field) => <TextInput {...register('location')} {...field} autoComplete="off" />}
          </LabelledFormField>
          <LocationWarning location={location} onReplace={replaceLocation} />
        </div>
        <LabelledFormField label="Tags" hint="Separate tags with commas" error={errors.tags?.message}>
          {(field) => <TextInput {...register('tags')} {...field} autoComplete="off" autoCapitalize="none" />}
        </LabelledFormField>
        <LabelledFormField label="Group" error={lost ? noLonger : errors.groupId?.message}>
          {(field) => (
            // Controlled, so that it shows what will be sent, whichever options come and go.
            <Select {...register('groupId')} {...field} value={groupId}>
              <option value="">Public Post</option>
              {choices.map((group) => (
                <option key={group.$id} value={group.$id}>
                  {group.name}
                </option>
              ))}
            </Select>
          )}
        </LabelledFormField>
      </div>

      <AudiencePreview groupId={groupId} postId={postId} />
      {!postId && <DescriptionReminder photos={photos} onDescribe={({ key }) => setDescribing({ key })} />}
      <FormActions
        submitLabel={submitLabel}
        saving={saving}
        onCancel={() => guard.leave(onCancel)}
        note={saving && <UploadsLeft photos={photos} uploads={uploads} />}
      />
      {guard.dialog}
    </form>
  )
}

/** Says which photo is being waited for while the post is saved. */
function UploadsLeft({ photos, uploads }: { photos: readonly DraftPhoto[]; uploads: ImageUploads }) {
  const left = photos.filter(({ file }) => uploads.stateOf(file).phase === 'sending').length
  return (
    <span role="status" className="mr-auto text-meta text-text-2 tabular-nums">
      {left > 0 && `Photo ${photos.length - left + 1} of ${photos.length}`}
    </span>
  )
}

const noLonger = 'You’re no longer in this group. Choose where to post.'

/**
 * Keeps the chosen group as an option when the member is removed from it while writing: what is meant for a group must
 * not look like, or become, a public post.
 */
function useLostGroup(groups: readonly GroupOption[], groupId: string) {
  const chosen = groups.find(({ $id }) => $id === groupId)
  const [known, setKnown] = useState(chosen)
  if (chosen && chosen !== known) setKnown(chosen)
  const lost = !chosen && known?.$id === groupId ? known : undefined
  return { choices: lost ? [...groups, lost] : groups, lost }
}

/** Errors that are about a field without naming it. */
const fieldByRefusal: Partial<Record<string, keyof PostFormDraft>> = {
  post_image_not_found: 'photos',
  group_membership_required: 'groupId',
}
