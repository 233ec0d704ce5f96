import { useDropzone } from 'react-dropzone'
import {
  dropzoneOptions,
  type FileSizeBounds,
  hasImageSignature,
  wrongTypeMessage,
} from './image-validation.ts'

type Options = FileSizeBounds & {
  onChoose: (file: File) => void
  /** Called with why a file was refused; the one chosen before stays. */
  onRefuse: (reason: string) => void
  disabled?: boolean
}

/**
 * Makes an area take a click or a drop; for the keyboard there is a button inside it, whose press bubbles to the area.
 */
export function useImageDrop({ onChoose, onRefuse, disabled, ...bounds }: Options) {
  return useDropzone({
    ...dropzoneOptions(bounds),
    disabled,
    noKeyboard: true,
    // Several files at once: the library accepts the first and rejects the rest; here all are refused.
    async onDrop([chosen], [refused]) {
      if (refused?.errors[0]) onRefuse(refused.errors[0].message)
      else if (chosen && (await hasImageSignature(chosen))) onChoose(chosen)
      else if (chosen) onRefuse(wrongTypeMessage)
    },
  })
}
