/** How much one member may have under way at a time, and all together; the rest is refused at once. */

/** @returns a place, given back when it is disposed of */
export type Places = (member: number) => Disposable

/** @param full called, and expected to throw, when there is no place */
export function createPlaces({
  total = Number.POSITIVE_INFINITY,
  perMember,
  full,
}: {
  total?: number
  perMember: number
  full: () => never
}): Places {
  const taken = new Map<number, number>()
  let all = 0
  return (member) => {
    const own = taken.get(member) ?? 0
    if (own >= perMember || all >= total) full()
    taken.set(member, own + 1)
    all += 1
    return {
      [Symbol.dispose]() {
        const left = (taken.get(member) as number) - 1
        if (left > 0) taken.set(member, left)
        else taken.delete(member)
        all -= 1
      },
    }
  }
}
