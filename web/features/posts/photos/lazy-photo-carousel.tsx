import type { ComponentProps, ReactNode } from 'react'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import type { PhotoCarousel } from './photo-carousel.tsx'

const Carousel = lazyPart(async () => (await import('./photo-carousel.tsx')).PhotoCarousel)

/** Loads with the first post of several photos; until then its cover stands in the same box. */
export const LazyPhotoCarousel = ({
  cover,
  ...props
}: ComponentProps<typeof PhotoCarousel> & { cover: ReactNode }) => <Carousel {...props} fallback={cover} />
