import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** Loads after first paint. */
export const LazyNewPostsNotice = lazyPart(
  async () => (await import('./new-posts-notice.tsx')).NewPostsNotice,
)
