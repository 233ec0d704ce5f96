import type { Message } from '#contract/chat/conversations.ts'

/** The status shown beside the time of one's own message; the texts are its labels. */
export type DeliveryStatus = 'Sent' | 'Delivered' | 'Read'

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
