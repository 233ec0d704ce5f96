/** Loads after the post. */
import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazySimilarPosts = lazyPart(async () => (await import('./similar-posts.tsx')).SimilarPosts)
