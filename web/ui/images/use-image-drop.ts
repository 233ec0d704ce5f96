import { useDropzone } from 'react-dropzone'
import {
  dropzoneOptions,
  type FileSizeBounds,
  hasImageSignature,
  tooManyFilesMessage,
  wrongTypeMessage,
} from './image-validation.ts'

type Options = FileSizeBounds & {
  onChoose: (file: File) => void
  onRefuse: (reason: string) => void
  /** How many more files to accept. If undefined, the area accepts one at a time. */
  room?: number
  /** Accepts HEIC, HEIF and AVIF, which the caller must convert. */
  convertible?: boolean
  disabled?: boolean
  noClick?: boolean
}

/** Keyboard users press a button inside the area, and the click bubbles up to it. */
export function useImageDrop(options: Options) {
  const { onChoose, onRefuse, room, disabled, noClick, convertible, ...bounds } = options
  const several = room !== undefined
  return useDropzone({
    ...dropzoneOptions(bounds, several, convertible),
    disabled,
    noClick,
    noKeyboard: true,
    async onDrop(chosen, [refused]) {
      const reason = refused?.errors[0]?.message
      // The library would accept the first of several files where one is expected.
      if (reason && !several) onRefuse(reason)
      else await acceptImages(chosen, { onChoose, onRefuse, room, reason, convertible })
    },
  })
}

type Taking = Pick<Options, 'onChoose' | 'onRefuse' | 'room' | 'convertible'> & {
  reason?: string
}

export async function acceptImages(
  files: readonly File[],
  { onChoose, onRefuse, room = 1, reason, convertible }: Taking,
): Promise<void> {
  const looked = await Promise.all(
    files.map(async (file) => (await hasImageSignature(file, convertible)) && file),
  )
  const images = looked.filter((file) => file !== false)
  for (const image of images.slice(0, room)) onChoose(image)
  if (reason) onRefuse(reason)
  else if (images.length < files.length) onRefuse(wrongTypeMessage)
  else if (images.length > room) onRefuse(tooManyFilesMessage)
}
