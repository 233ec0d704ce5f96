/**
 * Insecure contexts have no locks, so `work` must also be safe without one.
 * @param ifFree skips the work if another tab holds the lock, instead of waiting
 */
export async function withBrowserLock<Answer>(
  name: string,
  work: () => Promise<Answer>,
  { ifFree = false } = {},
): Promise<Answer | undefined> {
  if (!navigator.locks) return work()
  return navigator.locks.request(name, { ifAvailable: ifFree }, (lock) => (lock ? work() : undefined))
}
