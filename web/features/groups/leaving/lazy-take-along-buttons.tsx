import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** Loads with the first post that its author has left in a group. */
export const LazyTakeAlongButtons = lazyPart(
  async () => (await import('./take-along-buttons.tsx')).TakeAlongButtons,
)
