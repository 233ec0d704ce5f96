import { Crop } from 'lucide-react'
import { lazy, type Ref, Suspense, useCallback, useState } from 'react'
import { en } from '#contract/language.ts'
import { cx } from '../cx.ts'
import { useImageDrop } from './accept-images.ts'
import { Avatar, type AvatarPerson } from './avatar.tsx'
import type { CropResult } from './crop/crop-dialog.tsx'
import type { CropFrame } from './crop/crop-frame.ts'
import { ImagePreview } from './image-preview.tsx'
import { useObjectUrl } from './use-object-url.ts'

const loadCropDialog = () => import('./crop/crop-dialog.tsx')
const CropDialog = lazy(async () => ({ default: (await loadCropDialog()).CropDialog }))

type Props = {
  id: string
  person: AvatarPerson
  file: File | null
  onChoose: (file: File) => void
  onRefuse: (reason: string) => void
  disabled?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  ref?: Ref<HTMLButtonElement>
}

type Chosen = { source: File; frame?: CropFrame }

export function AvatarPicker({ id, person, file, onChoose, onRefuse, disabled, ref, ...aria }: Props) {
  const preview = useObjectUrl(file)
  const [chosen, setChosen] = useState<Chosen>()
  const [cropping, setCropping] = useState<Chosen>()
  const { getRootProps, getInputProps, isDragActive } = useImageDrop({
    onChoose: (source) => setCropping({ source }),
    onRefuse,
    disabled,
  })

  function finish(result?: CropResult) {
    if (!cropping) return
    setCropping(undefined)
    // If nothing changed, a new photo is used whole, and an earlier one keeps its crop.
    if (!result && cropping === chosen) return
    const { source } = cropping
    setChosen({ source, frame: result?.cropped?.frame })
    onChoose(result?.cropped?.file ?? source)
  }

  return (
    <>
      <div
        {...getRootProps({ role: 'presentation', 'aria-disabled': undefined })}
        onPointerEnter={() => void loadCropDialog()}
        className={cx(
          '-ml-1.5 cursor-pointer rounded-card p-1.5',
          isDragActive && 'bg-brand-soft',
          disabled && 'cursor-not-allowed',
        )}
      >
        <input {...getInputProps({ id, 'aria-label': undefined, 'aria-invalid': aria['aria-invalid'] })} />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          {preview ? (
            <ImagePreview url={preview} className="size-32 flex-none rounded-full" />
          ) : (
            <Avatar person={person} size={128} />
          )}
          <div className="flex flex-wrap gap-2.5">
            <button
              ref={ref}
              type="button"
              disabled={disabled}
              aria-describedby={aria['aria-describedby']}
              className="min-h-11 rounded-full bg-brand-soft px-5 font-[650] text-brand-text hover:bg-brand-soft-hover focus-visible:rounded-full"
            >
              {en('Change profile photo', 'Cambiar la foto de perfil')}
            </button>
            {file && chosen && (
              <button
                type="button"
                disabled={disabled}
                onClick={(event) => {
                  event.stopPropagation()
                  setCropping(chosen)
                }}
                className="inline-flex min-h-11 items-center gap-2 rounded-full px-5 font-[650] hover:bg-sunken focus-visible:rounded-full"
              >
                <Crop aria-hidden size={18} strokeWidth={2} />
                {en('Crop', 'Recortar')}
              </button>
            )}
          </div>
        </div>
      </div>
      {cropping && (
        <Suspense>
          <OpenedCropDialog chosen={cropping} onDone={finish} onCancel={() => setCropping(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type DialogProps = { chosen: Chosen; onDone: (result?: CropResult) => void; onCancel: () => void }

function OpenedCropDialog({ chosen: { source, frame }, onDone, onCancel }: DialogProps) {
  const load = useCallback(async () => source, [source])
  return (
    <CropDialog
      round
      title={en('Crop your profile photo', 'Recortar tu foto de perfil')}
      load={load}
      frame={frame}
      note={en(
        'What you cut away never leaves your device.',
        'Lo que recortes no sale nunca de tu dispositivo.',
      )}
      onDone={onDone}
      onCancel={onCancel}
    />
  )
}
