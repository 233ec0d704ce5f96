import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { preload } from 'react-dom'
import { imageWidths } from '#contract/limits.ts'
import type { Image } from '#contract/posts.ts'
import { pictureUrl } from '#web/api.ts'
import { classes } from './classes.ts'
import { placeholderOf } from './placeholder.ts'

/** How a picture fills its place: `feed` between 4:5 and 1.91:1, `square`, or `whole` in its own ratio. */
type Crop = 'feed' | 'square' | 'whole'

const tallest = 4 / 5
const widest = 1.91

export function ratioOf({ width, height }: Pick<Image, 'width' | 'height'>, crop: Crop): number {
  if (crop === 'square') return 1
  const own = width > 0 && height > 0 ? width / height : tallest
  return crop === 'whole' ? own : Math.min(Math.max(own, tallest), widest)
}

type Props = {
  image: Image
  alt: string
  /** The `sizes` attribute: how wide the place is at each screen width. */
  sizes: string
  crop: Crop
  /** The first picture of a page: asked for at once and before the others, and shown as it comes. */
  first?: boolean
}

/**
 * How wide the picture is drawn where its place is so wide: of one that is wider than the shape of its place the sides are cut
 * off, and its height has to be sharp.
 */
export function drawnSizes(image: Pick<Image, 'width' | 'height'>, sizes: string, crop: Crop): string {
  const wider = ratioOf(image, 'whole') / ratioOf(image, crop)
  if (wider <= 1) return sizes
  const commas = /,\s*(?![^(]*\))/
  return sizes
    .split(commas)
    .map((size) => size.replace(/^(\([^)]*\) )?(.*)$/, `$1calc($2 * ${wider.toFixed(2)})`))
    .join(', ')
}

const sourcesOf = (image: Image) =>
  imageWidths.map((width) => `${pictureUrl(image.id, width)} ${width}w`).join(', ')

/** Asks for a picture before its place is drawn. */
export function preloadPicture(image: Image, sizes: string, crop: Crop): void {
  preload(pictureUrl(image.id, 640), {
    as: 'image',
    imageSrcSet: sourcesOf(image),
    imageSizes: drawnSizes(image, sizes, crop),
    fetchPriority: 'high',
  })
}

/** Its box and its placeholder stand before the picture; it fades in, or says that it could not be loaded. */
export function Picture({ image, alt, sizes, crop, first = false }: Props) {
  const [state, setState] = useState<'waiting' | 'shown' | 'failed'>('waiting')
  const placeholder = placeholderOf(image.thumbhash)
  const box = { aspectRatio: ratioOf(image, crop) }

  if (state === 'failed') {
    return (
      <span
        style={box}
        className="flex w-full flex-col items-center justify-center gap-2 bg-sunken p-4 text-center text-text-2"
      >
        <ImageOff aria-hidden size={24} strokeWidth={1.9} />
        <span className="text-label">Picture couldn’t be loaded</span>
        <span className="sr-only">{alt}</span>
      </span>
    )
  }
  return (
    <span
      data-picture={state}
      style={{
        ...box,
        backgroundColor: placeholder?.colour,
        backgroundImage: placeholder && `url(${placeholder.picture})`,
      }}
      className="block w-full overflow-hidden bg-sunken bg-cover bg-center"
    >
      <img
        alt={alt}
        src={pictureUrl(image.id, 640)}
        srcSet={sourcesOf(image)}
        sizes={drawnSizes(image, sizes, crop)}
        width={image.width}
        height={image.height}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding={first ? 'sync' : 'async'}
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
        className={classes(
          'size-full object-cover',
          !first && 'transition-opacity duration-200',
          !first && state === 'waiting' && 'opacity-0',
        )}
      />
    </span>
  )
}
