import type { ComponentProps, ReactNode } from 'react'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import type { PhotoCarousel } from './photo-carousel.tsx'

const Carousel = lazyPart(async () => (await import('./photo-carousel.tsx')).PhotoCarousel)
const WholePhoto = lazyPart(async () => (await import('./whole-photo-link.tsx')).WholePhotoLink)

type Props = Omit<ComponentProps<typeof PhotoCarousel>, 'framing'> & {
  /** The cover alone, with its link. */
  cover: ReactNode
}

/**
 * Shows what a card has besides its cover: further photos, or the way to the whole of a cover that the card cuts. Both load with the
 * first post that needs them; the cover stands in the box until then, and one that is alone is never drawn anew.
 */
export function CardPhotos({ cover, ...props }: Props) {
  if (props.post.photos.length > 1) return <Carousel {...props} framing="feed" fallback={cover} />
  return (
    <div className="relative">
      {cover}
      <WholePhoto post={props.post} at={0} />
    </div>
  )
}
