/** Signals a sent post or message, after which the page may suggest installing. */
const events = new EventTarget()
const eventName = 'content-sent'

export const emitContentSent = (): void => void events.dispatchEvent(new Event(eventName))

/** @returns stops listening */
export function onContentSent(listener: () => void): () => void {
  events.addEventListener(eventName, listener)
  return () => events.removeEventListener(eventName, listener)
}
