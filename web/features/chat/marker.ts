import type { Message } from '#contract/chat.ts'

/** What stands beside the time of her own message (conflict C-15); the texts are its labels. */
export type Marker = 'Sent' | 'Delivered' | 'Read'

/** Single while only her own screen has it, double once stored, coloured once the other one has read it. */
export function markerOf(
  { senderId, readBy }: Pick<Message, 'senderId' | 'readBy'>,
  me: string,
): Marker | null {
  if (senderId !== me) return null
  if (!readBy.includes(me)) return 'Sent'
  return readBy.some((reader) => reader !== me) ? 'Read' : 'Delivered'
}
