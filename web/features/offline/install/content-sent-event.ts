/** Tells that a post or a message of the member's was sent: only then may the page propose something. */
const events = new EventTarget()
const eventName = 'content-sent'

export const emitContentSent = (): void => void events.dispatchEvent(new Event(eventName))

/** @returns stops listening */
export function onContentSent(listener: () => void): () => void {
  events.addEventListener(eventName, listener)
  return () => events.removeEventListener(eventName, listener)
}
