import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type Control, type FieldErrors, useController } from 'react-hook-form'
import { en } from '#contract/language.ts'
import { maxAltTextLength, maxPostPhotos } from '#contract/limits.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { LabelledFormField } from '#web/forms/labelled-form-field.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import type { FormImagePicking } from '#web/forms/use-edit-form.ts'
import type { ImageUploads, PhotoUploadState } from '#web/forms/use-image-uploads.ts'
import {
  acceptImages,
  explainImageRefusal,
  pastedFiles,
  tooManyFilesMessage,
} from '#web/ui/images/accept-images.ts'
import { ImagePicker } from '#web/ui/images/image-picker.tsx'
import { UploadProgress } from '#web/ui/images/upload-progress.tsx'
import { RemovedMetadataNotice } from '../../audience/removed-metadata-notice.tsx'
import {
  isPhotoMissing,
  type PostDraftPhoto,
  type PostFormDraft,
  toPostDraftPhoto,
} from '../post-form-schema.ts'
import { CropButton, usePhotoCrop } from './use-photo-crop.tsx'

type Props<Values> = {
  control: Control<PostFormDraft, unknown, Values>
  /** This is a function, because several photos may be added before the next render. */
  read: () => PostDraftPhoto[]
  errors: FieldErrors<PostFormDraft>
  disabled: boolean
  picking: FormImagePicking<ImageUploads>
  describing: { key: string } | undefined
}

const loadPhotoStrip = () => import('./photo-strip.tsx')
const PhotoStrip = lazy(async () => ({ default: (await loadPhotoStrip()).PhotoStrip }))

const ten = en('A post can have up to ten photos.', 'Una publicación puede llevar hasta diez fotos.')

export function PhotosField<Values>({ control, read, errors, disabled, picking, describing }: Props<Values>) {
  const { field } = useController({ control, name: 'photos' })
  const photos = field.value
  const [chosenKey, setChosenKey] = useState<string>()
  const chosen = photos.find(({ key }) => key === chosenKey) ?? photos[0]
  const { upload: uploads, onResume, handlers } = picking
  const whole = useRef<HTMLDivElement>(null)
  const description = useRef<HTMLTextAreaElement>(null)
  const replaced = handlers((file) => {
    if (!chosen) return append(file)
    if (chosen.file) uploads.cancel(chosen.file)
    const next = { ...toPostDraftPhoto(file), alt: isPhotoMissing(chosen) ? chosen.alt : '' }
    field.onChange(read().map((photo) => (photo.key === chosen.key ? next : photo)))
    setChosenKey(next.key)
  })
  const added = handlers(append)
  const crop = usePhotoCrop({ photos, read, onChange: field.onChange, picking, focusTile })

  function append(file: File) {
    const photo = toPostDraftPhoto(file)
    const before = read()
    field.onChange([...before, photo])
    if (before.length === 0) setChosenKey(photo.key)
  }

  function remove(gone: PostDraftPhoto) {
    const at = photos.indexOf(gone)
    if (gone.file) uploads.cancel(gone.file)
    const left = photos.filter(({ key }) => key !== gone.key)
    field.onChange(left)
    if (gone.key === chosen?.key) setChosenKey((left[at] ?? left.at(-1))?.key)
    // Focuses the photo that took the removed one's position.
    focusTile(Math.min(at, left.length - 1))
  }

  function focusTile(at: number) {
    requestAnimationFrame(() => {
      const tiles = whole.current?.querySelectorAll<HTMLElement>('[data-tile] > button:first-child')
      const next = tiles?.[at]
      if (next) next.focus()
      else whole.current?.querySelector('button')?.focus()
    })
  }

  const describe = (alt: string) =>
    field.onChange(read().map((photo) => (photo.key === chosen?.key ? { ...photo, alt } : photo)))

  // Loads the strip while the member writes.
  useEffect(() => void loadPhotoStrip(), [])
  usePastedImages(maxPostPhotos - photos.length, disabled, added)

  useEffect(() => {
    if (!describing) return
    setChosenKey(describing.key)
    requestAnimationFrame(() => description.current?.focus())
  }, [describing])

  const wrongAt = photos.findIndex((_, at) => errors.photos?.[at]?.alt)
  const wrongKey = photos[wrongAt]?.key
  useEffect(() => {
    if (wrongKey) setChosenKey(wrongKey)
  }, [wrongKey])

  const error = errors.photos?.message
  const state = uploads.stateOf(chosen?.file ?? null)
  const file = chosen?.file ?? null
  const ready = uploads.readyOf(file)
  return (
    <div ref={whole}>
      <LabelledFormField
        label={photos.length > 1 ? en('Photos', 'Fotos') : en('Photo', 'Foto')}
        required
        error={error}
        plainError={
          error === tooManyFilesMessage && photos.length === maxPostPhotos ? ten : explainImageRefusal(error)
        }
        counter={
          photos.length > 1 && (
            <span className="text-meta text-text-2 tabular-nums">
              {photos.length}
              {en(' of ', ' de ')}
              {maxPostPhotos}
              {en(' · drag to put in order', ' · arrastra para ordenar')}
            </span>
          )
        }
      >
        {(control) => (
          <>
            {chosen && (
              <div className="mb-3">
                <Suspense>
                  <PhotoStrip
                    {...{ photos, chosen, uploads, disabled }}
                    onChoose={({ key }) => setChosenKey(key)}
                    onOrder={field.onChange}
                    onCrop={crop.open}
                    onRemove={remove}
                    onTryAgain={onResume}
                    onAdd={added.onChoose}
                    onRefuse={added.onRefuse}
                  />
                </Suspense>
              </div>
            )}
            <div className="aspect-4/3 w-full two:aspect-square">
              <ImagePicker
                {...control}
                ref={field.ref}
                file={ready}
                standIn={file && !ready ? <NotShown state={state} /> : undefined}
                convertible
                room={chosen ? undefined : maxPostPhotos}
                currentUrl={chosen?.imageId ? imageVariantUrl(chosen.imageId, 640) : undefined}
                disabled={disabled}
                {...replaced}
              >
                {file && (state.phase === 'sending' || state.phase === 'broken') && (
                  <UploadProgress
                    {...state}
                    onResume={() => onResume(file)}
                    onCancel={() => uploads.cancel(file)}
                  />
                )}
                {chosen && (ready || chosen.imageId) && (
                  <CropButton
                    at={photos.indexOf(chosen)}
                    disabled={disabled}
                    onPress={() => crop.open(chosen)}
                  />
                )}
              </ImagePicker>
            </div>
          </>
        )}
      </LabelledFormField>
      {crop.dialog}
      <RemovedMetadataNotice files={[ready]} uploading={state.phase !== 'idle'} />
      {chosen && (
        <div className="mt-3.5">
          <LabelledFormField
            label={en(
              'Describe this photo for those who can’t see it',
              'Describe esta foto para quienes no pueden verla',
            )}
            error={errors.photos?.[photos.indexOf(chosen)]?.alt?.message}
            counter={<CharacterCounter length={chosen.alt.trim().length} max={maxAltTextLength} />}
          >
            {(control) => (
              <TextArea
                {...control}
                ref={description}
                rows={2}
                value={chosen.alt}
                readOnly={disabled}
                onChange={({ target }) => describe(target.value)}
                className="field-sizing-content max-h-72 min-h-18"
              />
            )}
          </LabelledFormField>
        </div>
      )}
    </div>
  )
}

function NotShown({ state }: { state: PhotoUploadState }) {
  return (
    <p className="absolute inset-0 grid place-items-center bg-sunken p-6 text-text-2">
      {state.phase === 'refused' ? state.reason : en('Converting your photo…', 'Convirtiendo tu foto…')}
    </p>
  )
}

type Taking = { onChoose: (file: File) => void; onRefuse: (reason: string) => void }

/** Images may be pasted anywhere. Pasted text still goes to the focused field. */
function usePastedImages(room: number, disabled: boolean, taking: Taking) {
  const latest = useRef({ room, disabled, taking })
  latest.current = { room, disabled, taking }
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = pastedFiles(event)
      const { room, disabled, taking } = latest.current
      if (files.length === 0 || disabled) return
      event.preventDefault()
      void acceptImages(files, { ...taking, room, convertible: true })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
