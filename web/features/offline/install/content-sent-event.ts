/** After the member sent a post or message, the page may suggest installing the app. */
const events = new EventTarget()
const eventName = 'content-sent'

export const emitContentSent = (): void => void events.dispatchEvent(new Event(eventName))

/** @returns a function that stops listening */
export function onContentSent(listener: () => void): () => void {
  events.addEventListener(eventName, listener)
  return () => events.removeEventListener(eventName, listener)
}
