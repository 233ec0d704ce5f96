/** After this event, the page may suggest installing the app. */
const events = new EventTarget()
const eventName = 'content-sent'

export const emitContentSent = (): void => void events.dispatchEvent(new Event(eventName))

export function onContentSent(listener: () => void): () => void {
  events.addEventListener(eventName, listener)
  return () => events.removeEventListener(eventName, listener)
}
