import type { ComponentProps, ReactNode } from 'react'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import type { PhotoCarousel } from './photo-carousel.tsx'

const Carousel = lazyPart(async () => (await import('./photo-carousel.tsx')).PhotoCarousel)
const WholePhoto = lazyPart(async () => (await import('./whole-photo-link.tsx')).WholePhotoLink)

type Props = Omit<ComponentProps<typeof PhotoCarousel>, 'framing'> & {
  cover: ReactNode
}

/** The carousel appears over the cover, which is not rendered again. */
export function CardPhotos({ cover, ...props }: Props) {
  if (props.post.photos.length > 1) return <Carousel {...props} framing="feed" fallback={cover} />
  return (
    <div className="relative">
      {cover}
      <WholePhoto post={props.post} at={0} />
    </div>
  )
}
