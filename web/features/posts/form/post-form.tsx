import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { en } from '#contract/language.ts'
import { captionLengthLimits, locationLengthLimits } from '#contract/limits.ts'
import { hasPlace, noPlace } from '#contract/posts/no-place.ts'
import type { AllowedCommenters } from '#contract/posts/posts.ts'
import type { MentionScope } from '#web/features/comments/suggestions/queries.ts'
import { useMentionSuggestions } from '#web/features/comments/suggestions/use-mention-suggestions.tsx'
import { WhoCanCommentButton } from '#web/features/comments/who-can-comment-button.tsx'
import { privacySettingsQuery } from '#web/features/people/privacy/queries.ts'
import { SuggestedPlaces } from '#web/features/posts/topics/suggested-places.tsx'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { FormActions } from '#web/forms/form-actions.tsx'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Select } from '#web/forms/select.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { type FormSaveHandler, useEditForm } from '#web/forms/use-edit-form.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import type { FormDraftKeeper } from '#web/navigation/use-unsaved-changes-guard.tsx'
import { Button } from '#web/ui/button.tsx'
import { AudiencePreview } from '../audience/audience-preview.tsx'
import { LocationWarning } from '../audience/location-warning.tsx'
import { DescriptionReminder } from './photos/description-reminder.tsx'
import { PhotosField } from './photos/photos-field.tsx'
import {
  type PostDraftPhoto,
  type PostFormDraft,
  type PostFormValues,
  postFormSchema,
} from './post-form-schema.ts'
import type { GroupOption } from './use-group-options.ts'

type Props = {
  initial: PostFormDraft
  changed?: PostFormDraft
  groups: readonly GroupOption[]
  postId?: string
  submitLabel: string
  uploads: ImageUploads
  onSave: FormSaveHandler<PostFormValues>
  onCancel: () => void
  keeper?: FormDraftKeeper & { change: (draft: PostFormDraft | null) => void }
  /** Replaces the save button while something prevents saving. */
  obstacle?: (saving: boolean, submit: () => void) => ReactNode
}

type CaptionProps = ComponentProps<typeof TextArea> & {
  scope: MentionScope
  onReplace: (text: string) => void
}

function Caption({ scope, onReplace, onBlur, ...rest }: CaptionProps) {
  const { field, list } = useMentionSuggestions(scope, onReplace)
  return (
    <div className="relative">
      <TextArea
        {...rest}
        {...field}
        onBlur={(event) => {
          field.onBlur?.(event)
          onBlur?.(event)
        }}
        rows={2}
        className="post-caption field-sizing-content max-h-72 min-h-18 two:min-h-[182px]"
      />
      {list}
    </div>
  )
}

export function PostForm(props: Props) {
  const { initial, changed, groups, postId, submitLabel, uploads } = props
  const { onSave, onCancel, obstacle, keeper } = props
  const form = useEditForm({
    draft: postFormSchema,
    initial,
    onSave,
    picture: 'photos',
    upload: uploads,
    blame: ({ type }) => fieldByRefusal[type],
    keeper,
  })
  const { register, control, errors, saving, reset, guard, submit, picking, trigger, setFocus } = form
  const [caption, location, tags, groupId, photos, commentsFrom] = useWatch({
    control,
    name: ['caption', 'location', 'tags', 'groupId', 'photos', 'commentsFrom'],
  })
  const [describing, setDescribing] = useState<{ key: string }>()
  const { choices, lost } = useLostGroup(groups, groupId)
  const { begin, beginSoon, holds } = uploads
  useEffect(() => {
    if (!changed) return
    reset(changed, { keepDefaultValues: true })
    for (const { file } of changed.photos) if (file) void (holds ? beginSoon : begin)(file).catch(() => {})
  }, [changed, reset, begin, beginSoon, holds])
  const { isDirty } = form.formState
  const keepDraft = useRef(keeper?.change)
  keepDraft.current = keeper?.change
  useEffect(() => {
    const content = { caption, location, tags, groupId, photos, commentsFrom }
    keepDraft.current?.(isDirty ? content : null)
  }, [isDirty, caption, location, tags, groupId, photos, commentsFrom])

  async function refuse(event: FormEvent) {
    event.preventDefault()
    await trigger()
    setFocus('groupId')
  }

  function replaceLocation(broader: string) {
    form.setValue('location', broader, { shouldDirty: true, shouldValidate: errors.location !== undefined })
    setFocus('location')
  }

  const chooseNoPlace = () => replaceLocation(noPlace)

  return (
    <form noValidate onSubmit={lost ? refuse : submit} className="card p-5 md:p-8">
      <div className="grid grid-cols-1 gap-x-8 gap-y-[18px] **:scroll-mb-24 two:grid-cols-[minmax(0,1fr)_minmax(0,min(25rem,50%))] two:grid-rows-[auto_auto_auto_auto_1fr]">
        <LabelledFormField
          label={en('Caption', 'Texto')}
          required
          error={errors.caption?.message}
          counter={<CharacterCounter length={caption.trim().length} max={captionLengthLimits.max} />}
        >
          {(field) => (
            <Caption
              {...register('caption')}
              {...field}
              aria-required
              scope={postId && groupId === initial.groupId ? { postId } : groupId ? { groupId } : {}}
              onReplace={(next) => form.setValue('caption', next, { shouldDirty: true })}
            />
          )}
        </LabelledFormField>

        {/* On a phone, the photo is shown first. The tab order does not change. */}
        <div className="max-two:order-first two:col-start-2 two:row-span-5 two:row-start-1">
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
            label={en('Location', 'Lugar')}
            required
            hint={
              hasPlace(location)
                ? en('Where was this?', '¿Dónde fue?')
                : en('Your post won’t show a place.', 'Tu publicación no mostrará ningún lugar.')
            }
            error={errors.location?.message}
            counter={<CharacterCounter length={location.trim().length} max={locationLengthLimits.max} />}
          >
            {(field) => <TextInput {...register('location')} {...field} aria-required autoComplete="off" />}
          </LabelledFormField>
          {location.trim() === '' && (
            <Button kind="quiet" size="sm" className="mt-2" disabled={saving} onClick={chooseNoPlace}>
              {en('No place', 'Sin lugar')}
            </Button>
          )}
          <SuggestedPlaces typed={location} onChoose={replaceLocation} />
          <LocationWarning location={location} onReplace={replaceLocation} />
        </div>
        <LabelledFormField
          label={en('Tags', 'Etiquetas')}
          hint={en('Separate tags with commas', 'Separa las etiquetas con comas')}
          error={errors.tags?.message}
        >
          {(field) => <TextInput {...register('tags')} {...field} autoComplete="off" autoCapitalize="none" />}
        </LabelledFormField>
        <LabelledFormField label={en('Group', 'Grupo')} error={lost ? noLonger : errors.groupId?.message}>
          {(field) => (
            // Controlled, so it always shows the group that will be sent, even if the options change.
            <Select {...register('groupId')} {...field} value={groupId}>
              <option value="">{en('Public Post', 'Publicación pública')}</option>
              {choices.map((group) => (
                <option key={group.$id} value={group.$id}>
                  {group.name}
                </option>
              ))}
            </Select>
          )}
        </LabelledFormField>
        <WhoCanComment
          chosen={commentsFrom}
          onChoose={(next) => form.setValue('commentsFrom', next, { shouldDirty: true })}
        />
      </div>

      <AudiencePreview groupId={groupId} postId={postId} />
      {!postId && <DescriptionReminder photos={photos} onDescribe={({ key }) => setDescribing({ key })} />}
      {obstacle?.(saving, () => void submit())}
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

type WhoCanCommentProps = {
  chosen: AllowedCommenters | undefined
  onChoose: (chosen: AllowedCommenters) => void
}

function WhoCanComment({ chosen, onChoose }: WhoCanCommentProps) {
  const { data } = useQuery({ ...privacySettingsQuery, enabled: chosen === undefined })
  return (
    <div>
      <p className="mb-1.5 text-label font-[620]">{en('Who can comment', 'Quién puede comentar')}</p>
      <WhoCanCommentButton
        wide
        value={chosen ?? data?.commentsFrom ?? 'everyone'}
        onSave={async (next) => onChoose(next)}
      />
    </div>
  )
}

function UploadsLeft({ photos, uploads }: { photos: readonly PostDraftPhoto[]; uploads: ImageUploads }) {
  const left = photos.filter(({ file }) => uploads.stateOf(file).phase === 'sending').length
  return (
    <span role="status" className="mr-auto text-meta text-text-2 tabular-nums">
      {left > 0 &&
        en(
          `Photo ${photos.length - left + 1} of ${photos.length}`,
          `Foto ${photos.length - left + 1} de ${photos.length}`,
        )}
    </span>
  )
}

const noLonger = en(
  'You’re no longer in this group. Choose where to post.',
  'Ya no estás en este grupo. Elige dónde publicar.',
)

/** If the member is removed from the chosen group, the post must not become public. */
function useLostGroup(groups: readonly GroupOption[], groupId: string) {
  const chosen = groups.find(({ $id }) => $id === groupId)
  const [known, setKnown] = useState(chosen)
  if (chosen && chosen !== known) setKnown(chosen)
  const lost = !chosen && known?.$id === groupId ? known : undefined
  return { choices: lost ? [...groups, lost] : groups, lost }
}

const fieldByRefusal: Partial<Record<string, keyof PostFormDraft>> = {
  post_image_not_found: 'photos',
  group_membership_required: 'groupId',
}
