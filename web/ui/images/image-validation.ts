/** Rules for choosing an image. The texts name more types than are accepted. */
import type { DropzoneOptions } from 'react-dropzone'

export type FileSizeBounds = { minSize?: number; maxSize?: number }

const accept = { 'image/png': ['.png'], 'image/jpeg': ['.jpeg', '.jpg'] }
const acceptedTypes = [...Object.keys(accept), ...Object.values(accept).flat()].join(', ')
export const tooManyFilesMessage = 'Too many files'
export const wrongTypeMessage = `File type must be one of ${acceptedTypes}`

/** Makes the options of the drop zone, for one file or several. Without bounds any size is accepted. */
export function dropzoneOptions(
  { minSize = 0, maxSize = Number.POSITIVE_INFINITY }: FileSizeBounds,
  multiple = false,
) {
  return {
    accept,
    multiple,
    minSize,
    maxSize,
    getErrorMessage: ({ code, message }) => {
      if (code === 'file-invalid-type') return wrongTypeMessage
      if (code === 'file-too-large') return `File is larger than ${maxSize} bytes`
      if (code === 'file-too-small') return `File is smaller than ${minSize} bytes`
      if (code === 'too-many-files') return tooManyFilesMessage
      return message
    },
  } satisfies DropzoneOptions
}

const plainReasons: [reason: RegExp, plain: string][] = [
  [/^File type must be|file extension is not supported/, 'Choose a photo saved as JPEG or PNG.'],
  [/^Too many files/, 'Choose one photo at a time.'],
  [/^File is larger|^File size not allowed|too many pixels/, 'Choose a smaller photo.'],
  [/^File is smaller|^Empty file/, 'Choose a larger photo.'],
]

/** Says in plain words what to do about why an image was refused; nothing of reasons that are plain themselves. */
export const explainImageRefusal = (reason = ''): string | undefined =>
  plainReasons.find(([literal]) => literal.test(reason))?.[1]

const signatures = [
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0xff, 0xd8, 0xff],
]

/** Says whether a file begins with the bytes of an accepted type: the browser checks the name alone. */
export async function hasImageSignature(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer())
  return signatures.some((beginning) => beginning.every((byte, at) => start[at] === byte))
}
