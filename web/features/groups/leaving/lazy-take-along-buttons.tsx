import { type ComponentProps, lazy, Suspense } from 'react'
import type { TakeAlongButtons } from './take-along-buttons.tsx'

const Later = lazy(async () => ({ default: (await import('./take-along-buttons.tsx')).TakeAlongButtons }))

/** Loads with the first post that its author has left in a group. */
export const LazyTakeAlongButtons = (props: ComponentProps<typeof TakeAlongButtons>) => (
  <Suspense>
    <Later {...props} />
  </Suspense>
)
