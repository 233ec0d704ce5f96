/**
 * Runs `work` under the browser's lock of that name, which one tab at a time has. Without a secure context there are no locks: what they
 * guard must stand without them, more slowly or with a second request.
 * @param ifFree does nothing where another has it, instead of waiting
 */
export async function withBrowserLock<Answer>(
  name: string,
  work: () => Promise<Answer>,
  { ifFree = false } = {},
): Promise<Answer | undefined> {
  if (!navigator.locks) return work()
  return navigator.locks.request(name, { ifAvailable: ifFree }, (lock) => (lock ? work() : undefined))
}
