import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** Loads after the first paint, to keep the first page's code small. */
export const LazyNewPostsNotice = lazyPart(
  async () => (await import('./new-posts-notice.tsx')).NewPostsNotice,
)
