import { useDropzone } from 'react-dropzone'
import { beginsAsPicture, imageRules, type SizeBounds, wrongType } from './image-rules.ts'

type Options = SizeBounds & {
  onChoose: (file: File) => void
  /** Told why a file was not taken; the one chosen before stays. */
  onRefuse: (reason: string) => void
  disabled?: boolean
}

/** The whole area takes a click or a drop; for the keyboard there is a button inside it, whose press bubbles to the area. */
export function useImageDrop({ onChoose, onRefuse, disabled, ...bounds }: Options) {
  return useDropzone({
    ...imageRules(bounds),
    disabled,
    noKeyboard: true,
    // Of several, the library takes the first and refuses the rest: none is taken.
    async onDrop([chosen], [refused]) {
      if (refused?.errors[0]) onRefuse(refused.errors[0].message)
      else if (chosen && (await beginsAsPicture(chosen))) onChoose(chosen)
      else if (chosen) onRefuse(wrongType)
    },
  })
}
