import type { Ref } from 'react'
import { Avatar } from './avatar.tsx'
import { ChosenPicture } from './chosen-picture.tsx'
import { classes } from './classes.ts'
import { useImageDrop } from './use-image-drop.ts'
import { useObjectUrl } from './use-object-url.ts'

type Props = {
  id: string
  person: { name: string; imageUrl: string; imageId: string | null }
  file: File | null
  onChoose: (file: File) => void
  onRefuse: (reason: string) => void
  disabled?: boolean
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  ref?: Ref<HTMLButtonElement>
}

/** The uploader's profile variant: a round picture that takes a click or a drop (spec §2 Image uploader). */
export function AvatarPicker({ id, person, file, onChoose, onRefuse, disabled, ref, ...aria }: Props) {
  const preview = useObjectUrl(file)
  const { getRootProps, getInputProps, isDragActive } = useImageDrop({ onChoose, onRefuse, disabled })
  return (
    <div
      {...getRootProps({ role: 'presentation', 'aria-disabled': undefined })}
      className={classes(
        '-ml-1.5 cursor-pointer rounded-card p-1.5',
        isDragActive && 'bg-brand-soft',
        disabled && 'cursor-not-allowed',
      )}
    >
      <input {...getInputProps({ id, 'aria-label': undefined, 'aria-invalid': aria['aria-invalid'] })} />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {preview ? (
          <ChosenPicture url={preview} className="size-32 flex-none rounded-full" />
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
          Change profile photo
        </button>
      </div>
    </div>
  )
}
