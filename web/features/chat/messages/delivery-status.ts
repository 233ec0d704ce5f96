import type { Message } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'

export type DeliveryStatus = 'Sent' | 'Delivered' | 'Read'

export const deliveryStatusNames: Record<DeliveryStatus, string> = {
  Sent: en('Sent', 'Enviado'),
  Delivered: en('Delivered', 'Entregado'),
  Read: en('Read', 'Leído'),
}

/** 'Sent' means only in this browser, 'Delivered' on the server. Null for the other participant's messages. */
export function deliveryStatusOf(
  { senderId, readBy }: Pick<Message, 'senderId' | 'readBy'>,
  me: string,
): DeliveryStatus | null {
  if (senderId !== me) return null
  if (!readBy.includes(me)) return 'Sent'
  return readBy.some((reader) => reader !== me) ? 'Read' : 'Delivered'
}
