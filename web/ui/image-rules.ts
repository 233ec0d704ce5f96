/** What an image picker takes (spec §5, conflict C-26): the texts it shows name more than it accepts. */
import type { DropzoneOptions } from 'react-dropzone'

export type SizeBounds = { minSize?: number; maxSize?: number }

const accept = { 'image/png': ['.png'], 'image/jpeg': ['.jpeg', '.jpg'] }
const acceptedTypes = [...Object.keys(accept), ...Object.values(accept).flat()].join(', ')
export const wrongType = `File type must be one of ${acceptedTypes}`

/** Without bounds any size is taken: at least 0, at most unlimited (spec §9). */
export function imageRules({ minSize = 0, maxSize = Number.POSITIVE_INFINITY }: SizeBounds) {
  return {
    accept,
    multiple: false,
    minSize,
    maxSize,
    getErrorMessage: ({ code, message }) => {
      if (code === 'file-invalid-type') return wrongType
      if (code === 'file-too-large') return `File is larger than ${maxSize} bytes`
      if (code === 'file-too-small') return `File is smaller than ${minSize} bytes`
      if (code === 'too-many-files') return 'Too many files'
      return message
    },
  } satisfies DropzoneOptions
}

const beginnings = [
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0xff, 0xd8, 0xff],
]

/** Whether a file begins like what its name says: the browser has looked at the name alone. */
export async function beginsAsPicture(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer())
  return beginnings.some((beginning) => beginning.every((byte, at) => start[at] === byte))
}
