/**
 * Decodes pictures in the colours that browsers show. For CMYK, for 16 bits and for grey with a profile, sharp alone
 * produces other colours.
 */
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { getIccColorSpace } from './icc-profile.ts'

type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 }

/** The result is upright and at most `width` wide. */
export async function decodeToSrgb(path: string, width: number, options: SharpOptions): Promise<Pixels> {
  const { space, icc } = await sharp(path, options).metadata()
  const profileSpace = icc && getIccColorSpace(icc)
  const picture = sharp(path, options).autoOrient().resize({ width, withoutEnlargement: true })
  if (space === 'cmyk' && profileSpace !== 'CMYK')
    return mixInks(await toPixels(picture.pipelineColourspace('cmyk').toColourspace('cmyk')))
  if (icc) applyProfileAsBrowsers(picture, space, profileSpace)
  return toPixels(picture.toColourspace('srgb'))
}

/**
 * sharp converts 16-bit colours to Display P3, ignores the profiles of 16-bit grey, and refuses RGB profiles of grey.
 * It converts the pixels first if the pipeline has a colour space.
 */
function applyProfileAsBrowsers(picture: Sharp, space: string, profileSpace: string | undefined): void {
  const isGrey = space === 'b-w' || space === 'grey16'
  if (space === 'rgb16' || (isGrey && profileSpace === 'RGB ')) picture.pipelineColourspace('srgb')
  else if (space === 'grey16') picture.pipelineColourspace('b-w')
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
