import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazyComments = lazyPart(async () => (await import('./comments.tsx')).Comments)
export const LazyCommentComposer = lazyPart(
  async () => (await import('./comment-composer.tsx')).CommentComposer,
)
