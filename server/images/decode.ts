/** The part that runs libvips, inside the decoder process only. It sees bytes that went through the walker. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { uploadMaxPixels } from '#contract/limits.ts'
import { type Composition, composed } from './composition.ts'
import { sanitise } from './intake.ts'
import type { Taken } from './jobs.ts'
import { upright } from './orientation.ts'
import { damaged } from './sanitised.ts'
import { type VariantFormat, variantName, widthsAtUpload } from './widths.ts'

/** Reading D-12. */
const quality = 80
/** What a ThumbHash is made from at most. */
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

/** @throws Failure when the picture is to blame */
export async function take(input: string, folder: string): Promise<Taken> {
  const { original, ...learned } = await keepOriginal(input, join(folder, 'original'))
  const shown = upright(learned, learned.orientation)
  const widths = widthsAtUpload(shown.width)
  const largest = await decodeWhole(original, widths[0] as number)
  const names = ['original']
  for (const width of widths) {
    const name = variantName(width, 'webp')
    await encode(largest().resize({ width, withoutEnlargement: true }), 'webp').toFile(join(folder, name))
    names.push(name)
  }
  const { mime, size, md5, sha256 } = learned
  return { mime, size, md5, sha256, ...shown, thumbhash: await thumbhash(largest()), names }
}

/** Makes one variant of a sanitised original. */
export async function vary(
  input: string,
  output: string,
  { width, format }: { width: number; format: VariantFormat },
): Promise<true> {
  await encode((await decode(input, width))(), format).toFile(output)
  return true
}

/** Makes what a client wishes of a sanitised original. */
export async function compose(input: string, output: string, composition: Composition): Promise<true> {
  const { width, height, format } = composition
  const shown = await sharp(input).metadata()
  const [across, along] = [shown.autoOrient.width, shown.autoOrient.height]
  const picture = await decode(input, Math.max(width, Math.ceil((height * across) / along)))
  const made = await composed(picture(), composition)
  await encode(made, format, Math.max(1, composition.quality ?? quality)).toFile(output)
  return true
}

/** Any picture from anywhere: looked through as an upload is, then cut to fill the box. */
export async function adopt(
  input: string,
  output: string,
  { width, height }: { width: number; height: number },
): Promise<true> {
  const { original, ...learned } = await keepOriginal(input, `${output}.original`)
  const shown = upright(learned, learned.orientation)
  const picture = await decode(original, Math.max(width, Math.ceil((height * shown.width) / shown.height)))
  await picture().resize({ width, height, fit: 'cover' }).png().toFile(output)
  return true
}

async function keepOriginal(input: string, original: string) {
  const { parts, ...picture } = sanitise(await readFile(input))
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let size = 0
  for (const part of parts) {
    md5.update(part)
    sha256.update(part)
    size += part.length
  }
  await writeFile(original, parts, { flag: 'wx', mode: 0o600 })
  return { ...picture, original, size, md5: md5.digest('hex'), sha256: sha256.digest('base64') }
}

/**
 * `decode` of a picture that nobody has decoded yet. Its scan may end before its pixels do although the file has its end,
 * which libjpeg takes for a warning, among warnings that cameras' good pictures get.
 * @throws Failure storage_file_damaged
 */
async function decodeWhole(path: string, width: number): Promise<() => Sharp> {
  let said = ''
  const picture = await pixelsAt(path, width, 'warning').catch((warning: Error) => {
    said = warning.message
    return null
  })
  if (said.includes('premature end')) damaged('its pixels end too early')
  return picture ?? decode(path, width)
}

/**
 * The picture decoded once, upright, in sRGB, at most so wide.
 * @returns copies to work on
 * @throws Failure storage_file_damaged when its pixels cannot be read to the end
 */
const decode = (path: string, width: number): Promise<() => Sharp> =>
  pixelsAt(path, width, 'error').catch(() => damaged('its pixels are not readable'))

async function pixelsAt(path: string, width: number, failOn: 'error' | 'warning'): Promise<() => Sharp> {
  const { data, info } = await sharp(path, {
    failOn,
    limitInputPixels: uploadMaxPixels,
    sequentialRead: true,
  })
    .autoOrient()
    .resize({ width, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
}

/** A JPEG has no transparency: what shows through is white. */
function encode(picture: Sharp, format: Composition['format'], asked = quality): Sharp {
  if (format === 'webp') return picture.webp({ quality: asked })
  if (format === 'png') return picture.png()
  // The least effort: 0.8 s instead of 1.9 s for a phone's picture, and no more bytes.
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
