/** Loads after the post. */
import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazyEarlierVersionsButton = lazyPart(
  async () => (await import('./earlier-versions-button.tsx')).EarlierVersionsButton,
)
