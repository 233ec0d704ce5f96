import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'

/** The status shown beside the time of one's own message. */
export type DeliveryStatus = 'Sent' | 'Delivered' | 'Read'

export const deliveryStatusNames: Record<DeliveryStatus, string> = {
  Sent: en('Sent', 'Enviado'),
  Delivered: en('Delivered', 'Entregado'),
  Read: en('Read', 'Leído'),
}

/**
 * Returns 'Sent' while the message is only in this browser, 'Delivered' once stored, 'Read' once somebody else has
 * read it; null for messages of others.
 */
export function deliveryStatusOf(
  { senderId, readBy }: Pick<Message, 'senderId' | 'readBy'>,
  me: string,
): DeliveryStatus | null {
  if (senderId !== me) return null
  if (!readBy.includes(me)) return 'Sent'
  return readBy.some((reader) => reader !== me) ? 'Read' : 'Delivered'
}
