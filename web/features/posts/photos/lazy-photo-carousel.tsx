import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import type { PhotoCarousel } from './photo-carousel.tsx'

const Later = lazy(async () => ({ default: (await import('./photo-carousel.tsx')).PhotoCarousel }))

/** Loads with the first post of several photos; until then its cover stands in the same box. */
export const LazyPhotoCarousel = ({
  cover,
  ...props
}: ComponentProps<typeof PhotoCarousel> & { cover: ReactNode }) => (
  <Suspense fallback={cover}>
    <Later {...props} />
  </Suspense>
)
