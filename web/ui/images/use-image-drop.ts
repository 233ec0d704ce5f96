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
  /** Called with the reason for a refusal. Files that were already chosen stay. */
  onRefuse: (reason: string) => void
  /** How many more files to accept. If it is undefined, the area accepts one file at a time. */
  room?: number
  /** Whether to accept HEIC, HEIF and AVIF. The caller must convert them. */
  convertible?: boolean
  disabled?: boolean
  /** Whether to ignore clicks on the area. The buttons inside it still work. */
  noClick?: boolean
}

/**
 * Makes an area accept clicks and drops. Keyboard users press a button inside the area, and the click bubbles up to the
 * area.
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
      // If several files are dropped where one is expected, all are refused. The library would accept the first.
      if (reason && !several) onRefuse(reason)
      else await acceptImages(chosen, { onChoose, onRefuse, room, reason, convertible })
    },
  })
}

type Taking = Pick<Options, 'onChoose' | 'onRefuse' | 'room' | 'convertible'> & {
  /** The reason why the drop zone refused other files. */
  reason?: string
}

/** Accepts as many images as fit, in order, and reports why the others were refused. */
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
