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
  /** Called with the reason; chosen files stay. */
  onRefuse: (reason: string) => void
  /** How many more to accept; one at a time by default. */
  room?: number
  /** Whether to accept HEIC, HEIF and AVIF, which the caller then converts. */
  convertible?: boolean
  disabled?: boolean
  /** Whether clicks outside the inner buttons do nothing. */
  noClick?: boolean
}

/** Makes an area accept clicks and drops. Keyboard users press a button inside it, whose click bubbles. */
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
      // Refuses all files if several are dropped for one; the library would accept the first.
      if (reason && !several) onRefuse(reason)
      else await acceptImages(chosen, { onChoose, onRefuse, room, reason, convertible })
    },
  })
}

type Taking = Pick<Options, 'onChoose' | 'onRefuse' | 'room' | 'convertible'> & {
  /** Why earlier files were refused. */
  reason?: string
}

/** Takes as many images as fit, in order, and reports why others were refused. */
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
