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
  /** Called with why a file was refused; those chosen before stay. */
  onRefuse: (reason: string) => void
  /** How many more are taken, where several may be; without it one at a time. */
  room?: number
  /** Whether HEIC, HEIF and AVIF are taken too: whoever takes them converts them. */
  convertible?: boolean
  disabled?: boolean
  /** Whether a press beside the buttons inside opens nothing. */
  noClick?: boolean
}

/**
 * Makes an area take a click or a drop; for the keyboard there is a button inside it, whose press bubbles to the area.
 */
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
      // Several where one is taken: the library accepts the first and rejects the rest; here all are refused.
      if (reason && !several) onRefuse(reason)
      else await acceptImages(chosen, { onChoose, onRefuse, room, reason, convertible })
    },
  })
}

type Taking = Pick<Options, 'onChoose' | 'onRefuse' | 'room' | 'convertible'> & {
  /** Why others beside these were refused already. */
  reason?: string
}

/** Takes as many images as there is room for, in their order, and says why others were not taken. */
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
