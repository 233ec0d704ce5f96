import { lazyPart } from '#web/navigation/lazy-part.tsx'

/** Loads with the first hidden post, which few members have. */
export const LazyHiddenPostNotice = lazyPart(
  async () => (await import('./deferred-member-notices.ts')).HiddenPostNotice,
)
