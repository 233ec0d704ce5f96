import { ImageOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import { preload } from 'react-dom'
import { en } from '#contract/language.ts'
import {
  getDisplayAspectRatio,
  imageVariantSources,
  imageVariantUrl,
  type PhotoCrop,
  widenCroppedImageSizes,
} from '#contract/posts/feed-photo.ts'
import type { PostImage } from '#contract/posts/posts.ts'
import { cx } from '../cx.ts'
import { addToPictureMemoryCache } from './picture-memory-cache.ts'
import { decodeThumbHashPlaceholder } from './thumbhash-placeholder.ts'

/** Images that load faster are shown without a transition. */
const noFadeWithinMs = 200

export const isCropped = (image: Pick<PostImage, 'width' | 'height'>, crop: PhotoCrop): boolean =>
  getDisplayAspectRatio(image, crop) !== getDisplayAspectRatio(image, 'whole')

type Props = {
  image: Omit<PostImage, 'url'>
  alt: string
  /** The `sizes` attribute: the box's width per screen width. */
  sizes: string
  crop: PhotoCrop
  /** The page's first image is requested first and shown while it loads. */
  first?: boolean
}

export function preloadPostPicture(image: PostImage, sizes: string, crop: PhotoCrop): void {
  preload(imageVariantUrl(image.id, 640), {
    as: 'image',
    imageSrcSet: imageVariantSources(image.id),
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
        srcSet={imageVariantSources(image.id)}
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
