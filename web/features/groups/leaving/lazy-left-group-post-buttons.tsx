import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** Loads with the first post that its author has left in a group. */
export const LazyLeftGroupPostButtons = lazyPart(
  async () => (await import('./left-group-post-buttons.tsx')).LeftGroupPostButtons,
)
