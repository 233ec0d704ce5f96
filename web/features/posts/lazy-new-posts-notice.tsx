import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** The notice loads after the first paint. */
export const LazyNewPostsNotice = lazyPart(
  async () => (await import('./new-posts-notice.tsx')).NewPostsNotice,
)
