/**
 * The parameters of a preview (platform reference §9.4). A width or a height alone chooses among the widths a picture exists
 * in (reading D-12; security reference F12); every other wish is made for whoever asks.
 */
import { imageWidths } from '#contract/limits.ts'
import { fail } from '../errors.ts'
import type { FileRow } from '../files.ts'
import type { Composition, Gravity } from '../images/composition.ts'
import type { VariantFormat } from '../images/widths.ts'
import { colourOf, fractionOf, integerOf, oneOf, type Query } from './parameters.ts'

export type Preview =
  | { kind: 'variant'; variant: { width: number; format: VariantFormat } }
  | { kind: 'composition'; composition: Composition }

const gravities: readonly Gravity[] = [
  'center',
  'auto',
  'top-left',
  'top',
  'top-right',
  'left',
  'right',
  'bottom-left',
  'bottom',
  'bottom-right',
]
const outputs = ['jpg', 'jpeg', 'png', 'gif', 'webp'] as const
type Output = (typeof outputs)[number]

const widest = imageWidths.at(-1) as number
const black = '000000'

/** @throws Failure general_argument_invalid naming the parameter; storage_file_not_found for an unfinished file */
export function readPreview(
  query: Query,
  accept: string | undefined,
  file: Pick<FileRow, 'width' | 'height' | 'mime_type' | 'state'>,
): Preview {
  const width = integerOf(query, 'width', 0, 4000) ?? 0
  const height = integerOf(query, 'height', 0, 4000) ?? 0
  const gravity = oneOf(query, 'gravity', gravities) ?? 'center'
  const quality = integerOf(query, 'quality', -1, 100) ?? -1
  const border = {
    width: integerOf(query, 'borderWidth', 0, 100) ?? 0,
    colour: colourOf(query, 'borderColor') ?? black,
  }
  const radius = integerOf(query, 'borderRadius', 0, 4000) ?? 0
  const opacity = fractionOf(query, 'opacity', 0, 1) ?? 1
  const rotation = integerOf(query, 'rotation', -360, 360) ?? 0
  const background = colourOf(query, 'background') ?? null
  const output = oneOf(query, 'output', outputs)
  const knowsWebp = accept?.includes('image/webp') ?? false

  const own = ownSize(file)
  const cut = width > 0 && height > 0
  const changed = border.width > 0 || radius > 0 || opacity < 1 || rotation % 360 !== 0 || background !== null
  if (!cut && !changed && quality === -1 && output !== 'gif') {
    // Large enough for the asked side; 0 is the same as not asked.
    const wanted = width || (height && Math.ceil((height * own.width) / own.height)) || widest
    return { kind: 'variant', variant: { width: wanted, format: formatFor(output, knowsWebp, 'jpg') } }
  }
  const format: Composition['format'] =
    output === 'gif' ? 'gif' : formatFor(output, knowsWebp, file.mime_type === 'image/png' ? 'png' : 'jpg')
  const wishes = { gravity, opacity, background, border, radius, rotation, format }
  return {
    kind: 'composition',
    composition: { ...boxFor(width, height, own), ...wishes, quality: quality === -1 ? null : quality },
  }
}

function ownSize(file: Pick<FileRow, 'width' | 'height' | 'state'>): { width: number; height: number } {
  const { width, height, state } = file
  if (state === 'uploading' || width === null || height === null) return fail('storage_file_not_found')
  return { width, height }
}

/** What is asked for, a missing side in proportion; a box larger than any width there is becomes smaller. */
function boxFor(width: number, height: number, own: { width: number; height: number }) {
  const asked = {
    width: width || (height ? (height * own.width) / own.height : own.width),
    height: height || (width ? (width * own.height) / own.width : own.height),
  }
  const scale = Math.min(1, widest / Math.max(asked.width, asked.height))
  const pixels = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: pixels(asked.width), height: pixels(asked.height) }
}

function formatFor(output: Output | undefined, knowsWebp: boolean, otherwise: VariantFormat): VariantFormat {
  if (output === 'png') return 'png'
  if (output === 'jpg' || output === 'jpeg') return 'jpg'
  if (knowsWebp) return 'webp'
  return output === 'webp' ? 'jpg' : otherwise
}

export const mimeOf: Record<Composition['format'], string> = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}
