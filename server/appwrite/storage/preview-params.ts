/** A width alone or a height alone selects a stored variant. */
import { imageVariantWidthsPx } from '#contract/limits.ts'
import { throwFailure } from '#server/errors.ts'
import { acceptsWebp, negotiateImageFormat } from '#server/files/file-response.ts'
import type { FileRow } from '#server/files/stored-files.ts'
import type { CropGravity, RenderOptions } from '#server/images/apply-render-options.ts'
import type { VariantFormat } from '#server/images/variant-widths.ts'
import {
  type QueryStringParameters,
  readEnumParameter,
  readFractionParameter,
  readHexColorParameter,
  readIntegerParameter,
} from '../query-parameters.ts'

export type ImagePreviewRequest =
  | { kind: 'variant'; variant: { width: number; format: VariantFormat } }
  | { kind: 'composition'; composition: RenderOptions }

const gravities: readonly CropGravity[] = [
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

const widest = imageVariantWidthsPx.at(-1) as number
const black = '000000'

/** @throws Failure general_argument_invalid; storage_file_not_found for an unfinished file */
export function parseImagePreviewRequest(
  query: QueryStringParameters,
  accept: string | undefined,
  file: Pick<FileRow, 'width' | 'height' | 'mime_type' | 'state' | 'thumbhash'>,
): ImagePreviewRequest {
  const width = readIntegerParameter(query, 'width', 0, 4000) ?? 0
  const height = readIntegerParameter(query, 'height', 0, 4000) ?? 0
  const gravity = readEnumParameter(query, 'gravity', gravities) ?? 'center'
  const quality = readIntegerParameter(query, 'quality', -1, 100) ?? -1
  const border = {
    width: readIntegerParameter(query, 'borderWidth', 0, 100) ?? 0,
    color: readHexColorParameter(query, 'borderColor') ?? black,
  }
  const radius = readIntegerParameter(query, 'borderRadius', 0, 4000) ?? 0
  const opacity = readFractionParameter(query, 'opacity', 0, 1) ?? 1
  const rotation = readIntegerParameter(query, 'rotation', -360, 360) ?? 0
  const background = readHexColorParameter(query, 'background') ?? null
  const output = readEnumParameter(query, 'output', outputs)
  const knowsWebp = acceptsWebp(accept)

  const own = ownSize(file)
  const cut = width > 0 && height > 0
  const changed = border.width > 0 || radius > 0 || opacity < 1 || rotation % 360 !== 0 || background !== null
  if (!cut && !changed && quality === -1 && output !== 'gif') {
    // Zero means that the side is not given.
    const wanted = width || (height && Math.ceil((height * own.width) / own.height)) || widest
    const format = output ? formatFor(output, knowsWebp, 'jpg') : negotiateImageFormat(accept, file)
    return { kind: 'variant', variant: { width: wanted, format } }
  }
  const format: RenderOptions['format'] =
    output === 'gif' ? 'gif' : formatFor(output, knowsWebp, file.mime_type === 'image/png' ? 'png' : 'jpg')
  const requests = { gravity, opacity, background, border, radius, rotation, format }
  return {
    kind: 'composition',
    composition: { ...boxFor(width, height, own), ...requests, quality: quality === -1 ? null : quality },
  }
}

function ownSize(file: Pick<FileRow, 'width' | 'height' | 'state'>): { width: number; height: number } {
  const { width, height, state } = file
  if (state === 'uploading' || width === null || height === null)
    return throwFailure('storage_file_not_found')
  return { width, height }
}

/** A missing side follows from the proportions. */
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
