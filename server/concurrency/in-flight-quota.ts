/** Takes a slot, which disposal releases. */
export type InFlightQuota = (member: number) => Disposable

/**
 * Refuses work above the quota instead of queueing it.
 * @param full called if no slot is free; must throw
 */
export function createInFlightQuota({
  total = Number.POSITIVE_INFINITY,
  perMember,
  full,
}: {
  total?: number
  perMember: number
  full: () => never
}): InFlightQuota {
  const byMember = new Map<number, number>()
  let inFlight = 0
  return (member) => {
    const own = byMember.get(member) ?? 0
    if (own >= perMember || inFlight >= total) full()
    byMember.set(member, own + 1)
    inFlight += 1
    return {
      [Symbol.dispose]() {
        const left = (byMember.get(member) as number) - 1
        if (left > 0) byMember.set(member, left)
        else byMember.delete(member)
        inFlight -= 1
      },
    }
  }
}
