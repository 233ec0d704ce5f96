/** What leads an author to the earlier words of a post: its code loads after the post. */
import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazyEarlierVersionsButton = lazyPart(
  async () => (await import('./earlier-versions-button.tsx')).EarlierVersionsButton,
)
