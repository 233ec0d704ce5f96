import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazyNewPostsNotice = lazyPart(
  async () => (await import('./new-posts-notice.tsx')).NewPostsNotice,
)
