import { type ComponentProps, lazy, Suspense } from 'react'
import { waitForNextPaint } from '#web/ui/next-paint.ts'
import type { NewPostsNotice } from './new-posts-notice.tsx'

const Later = lazy(async () => {
  await waitForNextPaint()
  return { default: (await import('./new-posts-notice.tsx')).NewPostsNotice }
})

/** Loads after the first paint, to keep the first page's code small. */
export const LazyNewPostsNotice = (props: ComponentProps<typeof NewPostsNotice>) => (
  <Suspense>
    <Later {...props} />
  </Suspense>
)
