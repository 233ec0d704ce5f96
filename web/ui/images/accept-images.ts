/** Which images members can choose, drop or paste, and why others are refused. */
import { type DropzoneOptions, useDropzone } from 'react-dropzone'
import { en } from '#contract/language.ts'
import { isHeif, isWebp } from './heif-and-webp-signatures.ts'
import { isIos } from './is-ios.ts'

export type FileSizeBounds = { minSize?: number; maxSize?: number }

const accept = { 'image/png': ['.png'], 'image/jpeg': ['.jpeg', '.jpg'] }
/** iOS converts files of these types itself if they are not listed. */
const acceptConvertible = {
  'image/heic': ['.heic'],
  'image/heif': ['.heif'],
  'image/avif': ['.avif'],
  'image/webp': ['.webp'],
}
export const imageAcceptAttribute = (): string =>
  Object.keys(isIos() ? accept : { ...accept, ...acceptConvertible }).join(', ')

const acceptedTypes = [...Object.keys(accept), ...Object.values(accept).flat()].join(', ')
export const tooManyFilesMessage = en('Too many files', 'Demasiados archivos')
const wrongTypeMessage = en(
  `File type must be one of ${acceptedTypes}`,
  `El archivo tiene que ser de tipo ${acceptedTypes}`,
)

export function dropzoneOptions(
  { minSize = 0, maxSize = Number.POSITIVE_INFINITY }: FileSizeBounds,
  multiple = false,
  convertible = false,
) {
  return {
    accept: convertible && !isIos() ? { ...accept, ...acceptConvertible } : accept,
    multiple,
    minSize,
    maxSize,
    getErrorMessage: ({ code, message }) => {
      if (code === 'file-invalid-type') return wrongTypeMessage
      if (code === 'file-too-large')
        return en(`File is larger than ${maxSize} bytes`, `El archivo ocupa más de ${maxSize} bytes`)
      if (code === 'file-too-small')
        return en(`File is smaller than ${minSize} bytes`, `El archivo ocupa menos de ${minSize} bytes`)
      if (code === 'too-many-files') return tooManyFilesMessage
      return message
    },
  } satisfies DropzoneOptions
}

const plainReasons: [reason: RegExp, plain: string][] = [
  [
    /^File type must be|^El archivo tiene que|file extension is not supported|tipo de archivo no se admite/,
    en('Choose a photo saved as JPEG or PNG.', 'Elige una foto guardada como JPEG o PNG.'),
  ],
  [
    /^Too many files|^Demasiados archivos/,
    en('Choose one photo at a time.', 'Elige las fotos de una en una.'),
  ],
  [
    /^File is larger|^El archivo ocupa más|^File size not allowed|demasiado grande|too many pixels|demasiados píxeles/,
    en('Choose a smaller photo.', 'Elige una foto más pequeña.'),
  ],
  [
    /^File is smaller|^El archivo ocupa menos|^Empty file|está vacío/,
    en('Choose a larger photo.', 'Elige una foto más grande.'),
  ],
]

/** Undefined if the reason needs no explanation. */
export const explainImageRefusal = (reason = ''): string | undefined =>
  plainReasons.find(([literal]) => literal.test(reason))?.[1]

const signatures = [
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0xff, 0xd8, 0xff],
]

/** Checks the content, because the browser only checks the name. */
export async function hasImageSignature(file: Blob, convertible = false): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer())
  if (convertible && (isHeif(start) || isWebp(start))) return true
  return signatures.some((beginning) => beginning.every((byte, at) => start[at] === byte))
}

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

/**
 * Makes an area accept images by click or drop. Keyboard users press a button inside the area, and the click bubbles up
 * to it.
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
      // The library would accept the first of several files where one is expected.
      if (reason && !several) onRefuse(reason)
      else await acceptImages(chosen, { onChoose, onRefuse, room, reason, convertible })
    },
  })
}

type Taking = Pick<Options, 'onChoose' | 'onRefuse' | 'room' | 'convertible'> & {
  reason?: string
}

const checks = new Set<Promise<void>>()

/** Resolves once each chosen file is accepted or refused, so that saving does not miss one. */
export const waitForChosenImages = (): Promise<unknown> => Promise.all(checks)

export async function acceptImages(files: readonly File[], taking: Taking): Promise<void> {
  const check = checkImages(files, taking)
  checks.add(check)
  try {
    await check
  } finally {
    checks.delete(check)
  }
}

async function checkImages(
  files: readonly File[],
  { onChoose, onRefuse, room = 1, reason, convertible }: Taking,
): Promise<void> {
  const looked = await Promise.all(
    files.map(async (file) => (await hasImageSignature(file, convertible).catch(() => false)) && file),
  )
  const images = looked.filter((file) => file !== false)
  for (const image of images.slice(0, room)) onChoose(image)
  if (reason) onRefuse(reason)
  else if (images.length < files.length) onRefuse(wrongTypeMessage)
  else if (images.length > room) onRefuse(tooManyFilesMessage)
}

/** Returns none if the clipboard contains text, because Word adds a picture of it. */
export const pastedFiles = ({ clipboardData }: ClipboardEvent): File[] =>
  clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : []
