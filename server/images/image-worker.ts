/** The worker process that decodes images. libvips sees only sanitised bytes. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { uploadMaxPixels } from '#contract/limits.ts'
import { applyRenderOptions, type RenderOptions } from './apply-render-options.ts'
import { convertGreyToSrgb } from './convert-grey-to-srgb.ts'
import { getOrientedDimensions } from './exif-orientation.ts'
import { getIccColorSpace } from './icc-profile.ts'
import { throwDamagedImageFailure } from './image-errors.ts'
import { sanitizeImage } from './sanitize-image.ts'
import { getUploadVariantWidths, imageVariantName, type VariantFormat } from './variant-widths.ts'
import { type IngestJobResult, runImageWorkerLoop } from './worker-loop.ts'

const quality = 80
/** ThumbHash accepts at most 100 × 100 pixels. */
const thumbSide = 100

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeign'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignSaveWebpFile',
    'VipsForeignSaveJpegFile',
    'VipsForeignSavePngFile',
    'VipsForeignSaveCgifFile',
  ],
})

runImageWorkerLoop(async (job) => {
  switch (job.kind) {
    case 'ingest':
      return ingestUploadedImage(job.input, job.folder)
    case 'resize':
      return renderImageVariant(job.input, job.output, job)
    case 'render':
      return renderWithOptions(job.input, job.output, job.composition)
    case 'sanitizeAndCrop':
      return sanitizeAndCropImage(job.input, job.output, job)
    default:
      throw new Error(`Not a job for images: ${job.kind}`)
  }
})

async function ingestUploadedImage(input: string, folder: string): Promise<IngestJobResult> {
  const { original, ...learned } = await keepOriginal(input, join(folder, 'original'))
  const shown = getOrientedDimensions(learned, learned.orientation)
  const widths = getUploadVariantWidths(shown.width)
  const largest = await decodeWhole(original, widths[0] as number)
  const names = ['original']
  for (const width of widths) {
    const name = imageVariantName(width, 'webp')
    await encode(largest().resize({ width, withoutEnlargement: true }), 'webp').toFile(join(folder, name))
    names.push(name)
  }
  const { mime, size, md5, sha256, crc32, removed } = learned
  return { mime, size, md5, sha256, crc32, ...shown, thumbhash: await thumbhash(largest()), names, removed }
}

async function renderImageVariant(
  input: string,
  output: string,
  { width, format }: { width: number; format: VariantFormat },
): Promise<true> {
  await encode((await decode(input, width))(), format).toFile(output)
  return true
}

async function renderWithOptions(input: string, output: string, composition: RenderOptions): Promise<true> {
  const { width, height, format } = composition
  const shown = await sharp(input).metadata()
  const [across, along] = [shown.autoOrient.width, shown.autoOrient.height]
  const picture = await decode(input, Math.max(width, Math.ceil((height * across) / along)))
  const made = await applyRenderOptions(picture(), composition)
  await encode(made, format, Math.max(1, composition.quality ?? quality)).toFile(output)
  return true
}

async function sanitizeAndCropImage(
  input: string,
  output: string,
  { width, height }: { width: number; height: number },
): Promise<true> {
  const { original, ...learned } = await keepOriginal(input, `${output}.original`)
  const shown = getOrientedDimensions(learned, learned.orientation)
  const picture = await decode(original, Math.max(width, Math.ceil((height * shown.width) / shown.height)))
  await picture().resize({ width, height, fit: 'cover' }).png().toFile(output)
  return true
}

async function keepOriginal(input: string, original: string) {
  const { parts, ...picture } = sanitizeImage(await readFile(input))
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let size = 0
  let checksum = 0
  for (const part of parts) {
    md5.update(part)
    sha256.update(part)
    checksum = crc32(part, checksum)
    size += part.length
  }
  await writeFile(original, parts, { flag: 'wx', mode: 0o600 })
  return {
    ...picture,
    original,
    size,
    md5: md5.digest('hex'),
    sha256: sha256.digest('base64'),
    crc32: checksum,
  }
}

/**
 * libjpeg only warns about truncated scans, and good camera files cause warnings too
 * (docs/topics/how-images-are-processed.md).
 * @throws Failure storage_file_damaged
 */
async function decodeWhole(path: string, width: number): Promise<() => Sharp> {
  let said = ''
  const picture = await pixelsAt(path, width, 'warning').catch((warning: Error) => {
    said = warning.message
    return null
  })
  if (said.includes('premature end')) throwDamagedImageFailure('its pixels end too early')
  return picture ?? decode(path, width)
}

/**
 * The result is upright, in sRGB and at most `width` wide.
 * @returns starts a pipeline over the decoded pixels
 * @throws Failure storage_file_damaged
 */
const decode = (path: string, width: number): Promise<() => Sharp> =>
  pixelsAt(path, width, 'error').catch(() => throwDamagedImageFailure('its pixels are not readable'))

async function pixelsAt(path: string, width: number, failOn: 'error' | 'warning'): Promise<() => Sharp> {
  const options = { failOn, limitInputPixels: uploadMaxPixels, sequentialRead: true }
  const { data, ...raw } = await decodeToSrgb(path, width, options)
  return () => sharp(data, { raw })
}

type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/**
 * The result is upright and at most `width` wide, in the colours that browsers show. For CMYK, for 16 bits and for grey
 * with a profile, sharp alone produces other colours.
 */
async function decodeToSrgb(path: string, width: number, options: SharpOptions): Promise<Pixels> {
  const { space, icc } = await sharp(path, options).metadata()
  const open = (more?: SharpOptions) =>
    sharp(path, { ...options, ...more })
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
  if (icc && (space === 'b-w' || space === 'grey16')) {
    const pixels = await toPixels(open({ ignoreIcc: true }).toColourspace('srgb'))
    convertGreyToSrgb(pixels.data, pixels.channels, icc)
    return pixels
  }
  if (space === 'cmyk' && (!icc || getIccColorSpace(icc) !== 'CMYK'))
    return mixInks(await toPixels(open().pipelineColourspace('cmyk').toColourspace('cmyk')))
  // sharp would convert 16-bit colours with a profile to Display P3.
  return toPixels(
    (icc && space === 'rgb16' ? open().pipelineColourspace('srgb') : open()).toColourspace('srgb'),
  )
}

async function toPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Without a profile, browsers multiply the light that each ink leaves. */
function mixInks({ data, width, height }: Pixels): Pixels {
  const mixed = Buffer.alloc(3 * width * height)
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    const light = 255 - (data[from + 3] as number)
    for (let ink = 0; ink < 3; ink += 1)
      mixed[to + ink] = Math.round(((255 - (data[from + ink] as number)) * light) / 255)
  }
  return { data: mixed, width, height, channels: 3 }
}

/** JPEG makes transparent parts white. */
function encode(picture: Sharp, format: RenderOptions['format'], asked = quality): Sharp {
  if (format === 'webp') return picture.webp({ quality: asked })
  if (format === 'png') return picture.png()
  // This effort takes 0.8 s instead of 1.9 s for a phone's photo, with no more bytes.
  if (format === 'gif') return picture.gif({ effort: 1 })
  return picture.flatten({ background: '#fff' }).jpeg({ quality: asked, mozjpeg: false })
}

async function thumbhash(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(thumbSide, thumbSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
