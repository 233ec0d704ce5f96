import { ImageOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import { preload } from 'react-dom'
import { en } from '#contract/language.ts'
import { imageVariantWidthsPx } from '#contract/limits.ts'
import type { PostImage } from '#contract/posts/posts.ts'
import { imageVariantUrl } from '#web/api/client.ts'
import { cx } from '../cx.ts'
import { addToPictureMemoryCache } from './picture-memory-cache.ts'
import { decodeThumbHashPlaceholder } from './thumbhash-placeholder.ts'

/** `feed` allows 4:5 to 1.91:1, `square` is 1:1, `whole` keeps the image's own ratio. */
type Crop = 'feed' | 'square' | 'whole'

/** Images that load faster are shown without a transition. */
const noFadeWithinMs = 200

const tallest = 4 / 5
const widest = 1.91

export function getDisplayAspectRatio(
  { width, height }: Pick<PostImage, 'width' | 'height'>,
  crop: Crop,
): number {
  if (crop === 'square') return 1
  const own = width > 0 && height > 0 ? width / height : tallest
  return crop === 'whole' ? own : Math.min(Math.max(own, tallest), widest)
}

export const isCropped = (image: Pick<PostImage, 'width' | 'height'>, crop: Crop): boolean =>
  getDisplayAspectRatio(image, crop) !== getDisplayAspectRatio(image, 'whole')

type Props = {
  image: Omit<PostImage, 'url'>
  alt: string
  /** The `sizes` attribute: the box's width per screen width. */
  sizes: string
  crop: Crop
  /** The page's first image is requested first and shown while it loads. */
  first?: boolean
}

/** Images cropped at the sides need more width to stay sharp at full height. */
export function widenCroppedImageSizes(
  image: Pick<PostImage, 'width' | 'height'>,
  sizes: string,
  crop: Crop,
): string {
  const wider = getDisplayAspectRatio(image, 'whole') / getDisplayAspectRatio(image, crop)
  if (wider <= 1) return sizes
  const commas = /,\s*(?![^(]*\))/
  return sizes
    .split(commas)
    .map((size) => size.replace(/^(\([^)]*\) )?(.*)$/, `$1calc($2 * ${wider.toFixed(2)})`))
    .join(', ')
}

const sourcesOf = (image: Pick<PostImage, 'id'>) =>
  imageVariantWidthsPx.map((width) => `${imageVariantUrl(image.id, width)} ${width}w`).join(', ')

export function preloadPostPicture(image: PostImage, sizes: string, crop: Crop): void {
  preload(imageVariantUrl(image.id, 640), {
    as: 'image',
    imageSrcSet: sourcesOf(image),
    imageSizes: widenCroppedImageSizes(image, sizes, crop),
    fetchPriority: 'high',
  })
}

export function PostPicture({ image, alt, sizes, crop, first = false }: Props) {
  const [state, setState] = useState<'waiting' | 'shown' | 'failed'>('waiting')
  const placeholder = decodeThumbHashPlaceholder(image.thumbhash)
  const box = { aspectRatio: getDisplayAspectRatio(image, crop) }
  const [begun] = useState(() => performance.now())
  const [fades, setFades] = useState(false)
  // Images in memory precede their `load` event and must not fade in when the member goes back.
  const showAtOnce = useCallback((element: HTMLImageElement | null) => {
    if (element?.complete && element.naturalWidth > 0) setState('shown')
  }, [])

  if (state === 'failed') {
    return (
      <span
        style={box}
        className="flex w-full flex-col items-center justify-center gap-2 bg-sunken p-4 text-center text-text-2"
      >
        <ImageOff aria-hidden size={24} strokeWidth={1.9} />
        <span className="text-label">{en('Picture couldn’t be loaded', 'No pudimos cargar la foto')}</span>
        <span className="sr-only">{alt}</span>
      </span>
    )
  }
  return (
    <span
      data-picture={state}
      style={{
        ...box,
        backgroundColor: placeholder?.color,
        backgroundImage: placeholder && `url(${placeholder.picture})`,
      }}
      className="block w-full overflow-hidden bg-sunken bg-cover bg-center"
    >
      <img
        alt={alt}
        src={imageVariantUrl(image.id, 640)}
        srcSet={sourcesOf(image)}
        sizes={widenCroppedImageSizes(image, sizes, crop)}
        width={image.width}
        height={image.height}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding={first ? 'sync' : 'async'}
        ref={showAtOnce}
        onLoad={({ currentTarget }) => {
          addToPictureMemoryCache(currentTarget.currentSrc)
          setFades(performance.now() - begun > noFadeWithinMs)
          setState('shown')
        }}
        onError={() => setState('failed')}
        className={cx(
          'size-full object-cover',
          !first && fades && 'transition-opacity duration-200',
          !first && state === 'waiting' && 'opacity-0',
        )}
      />
    </span>
  )
}
