import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** Loads with the first post whose author left its group. */
export const LazyLeftGroupPostButtons = lazyPart(
  async () => (await import('./left-group-post-buttons.tsx')).LeftGroupPostButtons,
)
