import { type ComponentProps, lazy, Suspense } from 'react'
import type { HiddenPostNotice } from './hidden-post-notice.tsx'

const Later = lazy(async () => ({ default: (await import('./member-parts.ts')).HiddenPostNotice }))

/** Loads with the first hidden post, which few members ever have. */
export const LazyHiddenPostNotice = (props: ComponentProps<typeof HiddenPostNotice>) => (
  <Suspense>
    <Later {...props} />
  </Suspense>
)
