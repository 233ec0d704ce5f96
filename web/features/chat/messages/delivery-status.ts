import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'

/** The status shown beside the time of the member's own messages. */
export type DeliveryStatus = 'Sent' | 'Delivered' | 'Read'

export const deliveryStatusNames: Record<DeliveryStatus, string> = {
  Sent: en('Sent', 'Enviado'),
  Delivered: en('Delivered', 'Entregado'),
  Read: en('Read', 'Leído'),
}

/**
 * Returns 'Sent' if the message is only in this browser, 'Delivered' if the server has stored it, and 'Read' if the
 * recipient has read it. Returns null for the other participant's messages.
 */
export function deliveryStatusOf(
  { senderId, readBy }: Pick<Message, 'senderId' | 'readBy'>,
  me: string,
): DeliveryStatus | null {
  if (senderId !== me) return null
  if (!readBy.includes(me)) return 'Sent'
  return readBy.some((reader) => reader !== me) ? 'Read' : 'Delivered'
}
