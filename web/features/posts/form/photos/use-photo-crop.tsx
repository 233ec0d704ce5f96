/** Cropping happens on the device, so only the kept part is uploaded. */

import { Crop } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { getFileContentEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { getApiOperationPath } from '#web/api/client.ts'
import type { FormImagePicking } from '#web/forms/use-edit-form.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import type { CropResult } from '#web/ui/images/crop/crop-dialog.tsx'
import type { PostDraftPhoto } from '../post-form-schema.ts'

const CropDialog = lazy(async () => ({
  default: (await import('#web/ui/images/crop/crop-dialog.tsx')).CropDialog,
}))

type ButtonProps = { at: number; disabled: boolean; onPress: () => void }

export function CropButton({ at, disabled, onPress }: ButtonProps) {
  return (
    <div className="mt-2 flex justify-end first:mt-0">
      <button
        type="button"
        disabled={disabled}
        aria-label={en(`Crop photo ${at + 1}`, `Recortar la foto ${at + 1}`)}
        onClick={(event) => {
          event.stopPropagation()
          onPress()
        }}
        className="inline-flex min-h-11 items-center gap-2 rounded-full bg-overlay px-4 text-label font-[650] text-on-overlay focus-visible:rounded-full"
      >
        <Crop aria-hidden size={18} strokeWidth={2} />
        {en('Crop', 'Recortar')}
      </button>
    </div>
  )
}

type Options = {
  photos: readonly PostDraftPhoto[]
  read: () => PostDraftPhoto[]
  onChange: (photos: PostDraftPhoto[]) => void
  picking: FormImagePicking<ImageUploads>
  focusTile: (at: number) => void
}

export function usePhotoCrop({ photos, read, onChange, picking, focusTile }: Options): {
  open: (photo: PostDraftPhoto) => void
  dialog: ReactNode
} {
  const { upload: uploads, handlers } = picking
  const [opened, setOpened] = useState<{ photo: PostDraftPhoto; note: string; isSent: boolean }>()

  function open(photo: PostDraftPhoto) {
    const isSent = photo.file !== null && uploads.isSent(photo.file)
    if (photo.file && !isSent) uploads.cancel(photo.file)
    setOpened({ photo, isSent, note: noteOn(photo, isSent) })
  }

  function close() {
    if (!opened) return
    setOpened(undefined)
    focusTile(photos.findIndex(({ key }) => key === opened.photo.key))
  }

  function leave() {
    close()
    const { file } = opened?.photo ?? {}
    if (file && !opened?.isSent) handlers(() => undefined).onChoose(file)
  }

  function finish(result?: CropResult) {
    if (!opened || !result) return leave()
    close()
    const { key, file, imageId, cropped } = opened.photo
    const stored = cropped ? cropped.imageId : imageId
    const next: Partial<PostDraftPhoto> = result.cropped
      ? {
          file: result.cropped.file,
          imageId: null,
          cropped: { source: result.source, frame: result.cropped.frame, imageId: stored },
        }
      : { file: stored ? null : result.source, imageId: stored, cropped: undefined }
    if (file) uploads.cancel(file)
    const put = () => onChange(read().map((photo) => (photo.key === key ? { ...photo, ...next } : photo)))
    if (next.file) handlers(put).onChoose(next.file)
    else put()
  }

  const dialog = opened && (
    <Suspense>
      <OpenedCropDialog
        photo={opened.photo}
        ready={uploads.readyOf(opened.photo.file)}
        at={photos.findIndex(({ key }) => key === opened.photo.key)}
        note={opened.note}
        onDone={finish}
        onCancel={leave}
      />
    </Suspense>
  )
  return { open, dialog }
}

type DialogProps = {
  photo: PostDraftPhoto
  ready: File | null
  at: number
  note: string
  onDone: (result?: CropResult) => void
  onCancel: () => void
}

function OpenedCropDialog({ photo, ready, at, ...rest }: DialogProps) {
  const load = useCallback(() => loadSource(photo, ready), [photo, ready])
  return (
    <CropDialog
      title={en(`Crop photo ${at + 1}`, `Recortar la foto ${at + 1}`)}
      load={load}
      frame={photo.cropped?.frame}
      {...rest}
    />
  )
}

async function loadSource({ imageId, cropped }: PostDraftPhoto, ready: File | null): Promise<File> {
  const source = cropped?.source ?? ready
  if (source) return source
  const answer = await fetch(getApiOperationPath(getFileContentEndpoint, { fileId: imageId ?? '' }))
  if (!answer.ok) throw new Error(`The photo answered ${answer.status}`)
  const bytes = await answer.blob()
  return new File([bytes], 'photo', { type: bytes.type })
}

function noteOn({ imageId, cropped }: PostDraftPhoto, isSent: boolean): string {
  if (imageId ?? cropped?.imageId)
    return en('What you cut away is deleted when you save.', 'Lo que recortes se borra al guardar.')
  return isSent
    ? en(
        'This photo is already uploaded. The uploaded copy is deleted when you press Done.',
        'Esta foto ya está subida. Esa copia se borra al pulsar Listo.',
      )
    : en('What you cut away never leaves your device.', 'Lo que recortes no sale nunca de tu dispositivo.')
}
