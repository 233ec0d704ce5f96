import type { Ref } from 'react'
import { en } from '#contract/language.ts'
import { cx } from '../cx.ts'
import { Avatar, type AvatarPerson } from './avatar.tsx'
import { ImagePreview } from './image-preview.tsx'
import { useImageDrop } from './use-image-drop.ts'
import { useObjectUrl } from './use-object-url.ts'

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

/** Picks a profile photo: a round image that takes a click or a drop. */
export function AvatarPicker({ id, person, file, onChoose, onRefuse, disabled, ref, ...aria }: Props) {
  const preview = useObjectUrl(file)
  const { getRootProps, getInputProps, isDragActive } = useImageDrop({ onChoose, onRefuse, disabled })
  return (
    <div
      {...getRootProps({ role: 'presentation', 'aria-disabled': undefined })}
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
        <button
          ref={ref}
          type="button"
          disabled={disabled}
          aria-describedby={aria['aria-describedby']}
          className="min-h-11 rounded-full bg-brand-soft px-5 font-[650] text-brand-text hover:bg-brand-soft-hover focus-visible:rounded-full"
        >
          {en('Change profile photo', 'Cambiar la foto de perfil')}
        </button>
      </div>
    </div>
  )
}
