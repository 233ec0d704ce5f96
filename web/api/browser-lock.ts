/**
 * Runs `work` under a named browser lock, shared across tabs. Insecure contexts have no locks: the work must
 * be safe without one.
 * @param ifFree skips the work instead of waiting if another tab holds the lock
 */
export async function withBrowserLock<Answer>(
  name: string,
  work: () => Promise<Answer>,
  { ifFree = false } = {},
): Promise<Answer | undefined> {
  if (!navigator.locks) return work()
  return navigator.locks.request(name, { ifAvailable: ifFree }, (lock) => (lock ? work() : undefined))
}
