/** Work that many ask for at once is done once, and all get its result; afterwards it is forgotten. */

export function createSharedWork<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (key, work) => {
    const under = running.get(key)
    if (under) return under
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
