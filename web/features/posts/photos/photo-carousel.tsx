import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { Link, type To } from 'react-router'
import { en } from '#contract/language.ts'
import type { Post, PostPhoto } from '#contract/posts/posts.ts'
import { cx } from '#web/ui/cx.ts'
import { isCropped, PostPicture } from '#web/ui/images/post-picture.tsx'
import { decodeThumbHashPlaceholder } from '#web/ui/images/thumbhash-placeholder.ts'
import { photoAltTextOf } from './photo-alt-text.ts'
import './photo-carousel.css'
import { containedWidthRatio, fillsFrame, getFrameAspectRatio, type PhotoFraming } from './photo-framing.ts'
import type { PhotoNavigationState } from './use-post-photo-viewer.ts'
import { WholePhotoLink } from './whole-photo-link.tsx'

type Props = {
  post: Post
  framing: PhotoFraming
  /** The `sizes` attribute: the box's width per screen width. */
  sizes: string
  first?: boolean
  to: string | ((at: number) => To)
  /** The initial index. When it changes, the carousel scrolls there. */
  start?: number
  className?: string
}

/** The carousel is a single tab stop. Only nearby photos load. */
export function PhotoCarousel({ post, framing, sizes, first, to, start = 0, className }: Props) {
  const { photos } = post
  const { list, shown, reached, turnTo, onScroll, onReaderScroll } = usePhotoScroll(photos.length, start)
  const ratio = getFrameAspectRatio(post, framing)
  const shownPhoto = photos[shown]
  const position = en(`Photo ${shown + 1} of ${photos.length}`, `Foto ${shown + 1} de ${photos.length}`)

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    turnTo(shown + step)
      ?.querySelector('a')
      ?.focus({ preventScroll: true })
  }

  return (
    <section
      aria-roledescription={en('carousel', 'carrusel')}
      aria-label={en(`${photos.length} photos`, `${photos.length} fotos`)}
      className={cx('photo-carousel', className)}
      style={{ aspectRatio: ratio }}
      onKeyDown={onKeyDown}
    >
      <ul
        ref={list}
        onScroll={onScroll}
        onWheel={onReaderScroll}
        onPointerDown={onReaderScroll}
        onTouchStart={onReaderScroll}
      >
        {photos.map((photo, at) => {
          const alt = photoAltTextOf(post, at)
          const picture =
            at <= reached + 1 ? (
              <SlidePicture {...{ photo, alt, framing, ratio, sizes }} first={first && at === 0} />
            ) : (
              <WaitingPicture photo={photo} alt={alt} />
            )
          return (
            <li
              key={photo.id}
              aria-label={en(`Photo ${at + 1} of ${photos.length}`, `Foto ${at + 1} de ${photos.length}`)}
            >
              <Link
                to={typeof to === 'string' ? to : to(at)}
                state={framing === 'feed' ? ({ photo: at } satisfies PhotoNavigationState) : undefined}
                tabIndex={at === shown ? 0 : -1}
              >
                {picture}
              </Link>
            </li>
          )
        })}
      </ul>
      <TurnButton
        label={en('Previous photo', 'Foto anterior')}
        onPress={() => turnTo(shown - 1)}
        hidden={shown === 0}
      />
      <TurnButton
        label={en('Next photo', 'Foto siguiente')}
        onPress={() => turnTo(shown + 1)}
        hidden={shown === photos.length - 1}
      />
      <span aria-hidden className="counter text-meta">
        {`${shown + 1}/${photos.length}`}
      </span>
      <span aria-hidden className="dots">
        {photos.map(({ id }, at) => (
          <i key={id} data-shown={at === shown || undefined} />
        ))}
      </span>
      {shownPhoto && fillsFrame(shownPhoto, framing, ratio) && isCropped(shownPhoto, framing) && (
        <WholePhotoLink post={post} at={shown} />
      )}
      <span aria-live="polite" className="sr-only">
        {reached > 0 && position}
      </span>
    </section>
  )
}

function usePhotoScroll(count: number, start: number) {
  const list = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState(start)
  const [reached, setReached] = useState(start)
  /** After a button press, photos that scroll past before the target do not count as shown. */
  const heading = useRef<number>(undefined)

  function arriveAt(at: number) {
    setShown(at)
    setReached((before) => Math.max(before, at))
  }

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    setShown(start)
    setReached((before) => Math.max(before, start))
    element.scrollTo({ left: start * element.clientWidth, behavior: 'instant' })
  }, [start])

  function turnTo(at: number): Element | undefined {
    const element = list.current
    if (!element || at < 0 || at >= count) return undefined
    heading.current = at
    element.scrollTo({ left: at * element.clientWidth })
    arriveAt(at)
    return element.children[at]
  }

  function onScroll() {
    const element = list.current
    if (!element) return
    const place = element.scrollLeft / element.clientWidth
    if (heading.current === undefined) arriveAt(Math.round(place))
    else if (Math.abs(place - heading.current) < 0.02) heading.current = undefined
  }

  return {
    ...{ list, shown, reached, turnTo, onScroll },
    onReaderScroll: () => {
      heading.current = undefined
    },
  }
}

function TurnButton({ label, onPress, hidden }: { label: string; onPress: () => void; hidden: boolean }) {
  const isNext = label === en('Next photo', 'Foto siguiente')
  const Icon = isNext ? ChevronRight : ChevronLeft
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      disabled={hidden}
      onClick={onPress}
      data-turn={isNext ? 'next' : 'previous'}
    >
      <Icon aria-hidden size={22} />
    </button>
  )
}

type SlideProps = {
  photo: PostPhoto
  alt: string
  framing: PhotoFraming
  ratio: number
  sizes: string
  first: boolean | undefined
}

/** A photo that does not fill the box appears in front of its blurred miniature. */
function SlidePicture({ photo, alt, framing, ratio, sizes, first }: SlideProps) {
  if (fillsFrame(photo, framing, ratio))
    return <PostPicture image={photo} alt={alt} sizes={sizes} crop={framing} first={first} />
  return (
    <span style={backdropOf(photo)} className="backdrop">
      <span style={{ width: `${containedWidthRatio(photo, ratio) * 100}%` }}>
        <PostPicture image={photo} alt={alt} sizes={sizes} crop="whole" first={first} />
      </span>
    </span>
  )
}

const WaitingPicture = ({ photo, alt }: { photo: PostPhoto; alt: string }) => (
  <span role="img" aria-label={alt} style={backdropOf(photo)} className="backdrop" />
)

function backdropOf({ thumbhash }: PostPhoto) {
  const placeholder = decodeThumbHashPlaceholder(thumbhash)
  return {
    backgroundColor: placeholder?.color,
    backgroundImage: placeholder && `url(${placeholder.picture})`,
  }
}
