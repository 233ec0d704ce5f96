import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { getFileContentEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { getApiOperationPath } from '#web/api/client.ts'
import { cx } from '../cx.ts'
import { decodeThumbHashPlaceholder } from '../images/thumbhash-placeholder.ts'

export type ViewerPhoto = {
  id: string
  width: number
  height: number
  thumbhash: string
  alt: string
  /** The author's description, or empty. */
  description: string
}

/** Above this zoom, the largest variant is no longer sharp. */
const originalFromZoom = 1.5
const variantWidthsPx = [640, 1920]

type Props = {
  photo: ViewerPhoto
  place: { width: number; height: number }
  /** Whether this is the current photo. Others load only the first step. */
  shown: boolean
  zoom: number
}

export function ProgressivePhoto({ photo, place, shown, zoom }: Props) {
  const [arrived, setArrived] = useState(0)
  const [isFailed, setFailed] = useState(false)
  const [wantsOriginal, setWantsOriginal] = useState(false)
  if (shown && zoom > originalFromZoom && !wantsOriginal && !savesData()) setWantsOriginal(true)

  const [width, height] = photo.width > 0 && photo.height > 0 ? [photo.width, photo.height] : [4, 5]
  const scale = Math.min(place.width / width, place.height / height)
  const box = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const placeholder = decodeThumbHashPlaceholder(photo.thumbhash)

  if (isFailed) {
    return (
      <span className="failed">
        <ImageOff aria-hidden size={24} strokeWidth={1.9} />
        {en('Picture couldn’t be loaded', 'No pudimos cargar la foto')}
        <span className="sr-only">{photo.alt}</span>
      </span>
    )
  }
  return (
    <span
      className="photo"
      data-steps={arrived}
      style={{
        ...box,
        backgroundColor: placeholder?.color,
        backgroundImage: placeholder && `url(${placeholder.picture})`,
      }}
    >
      {sourcesOf(photo, wantsOriginal)
        .slice(0, shown ? arrived + 1 : 1)
        .map((source, step) => (
          <img
            key={source}
            src={source}
            alt={step === 0 ? photo.alt : ''}
            draggable={false}
            decoding="async"
            onLoad={() => setArrived((before) => Math.max(before, step + 1))}
            onError={step === 0 ? () => setFailed(true) : undefined}
            className={cx(step >= arrived && 'opacity-0')}
          />
        ))}
    </span>
  )
}

function sourcesOf({ id, width }: ViewerPhoto, withOriginal: boolean): string[] {
  const [smallest = 0, largest = 0] = variantWidthsPx
  const sources = [imageVariantUrl(id, smallest)]
  if (width > smallest) sources.push(imageVariantUrl(id, largest))
  if (width > largest && withOriginal)
    sources.push(getApiOperationPath(getFileContentEndpoint, { fileId: id }))
  return sources
}

const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
