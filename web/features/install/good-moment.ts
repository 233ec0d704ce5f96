/** Told when something of the member's has just gone well: only then may the page propose something. */
const moments = new EventTarget()
const eventName = 'good'

export const noteGoodMoment = (): void => void moments.dispatchEvent(new Event(eventName))

/** @returns stops listening */
export function onGoodMoment(listener: () => void): () => void {
  moments.addEventListener(eventName, listener)
  return () => moments.removeEventListener(eventName, listener)
}
