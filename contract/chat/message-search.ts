import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { conversationSchema } from './conversations.ts'
import { messageSchema } from './messages.ts'

export const messageSearchTermLength = { min: 2, max: 100 } as const
export const maxFoundMessages = 20

/**
 * Finds messages newest first, ignoring case and accents. Reads at most 5,000 messages of one conversation,
 * or 500 of each of the fifty newest conversations. Continue at `next`, even if a call found nothing.
 */
export const searchMessagesOperation = defineOperation({
  name: 'searchMessages',
  method: 'GET',
  path: '/search/messages',
  input: z.object({
    term: z
      .string()
      .check(
        fields.coarseMaxLengthCheck(messageSearchTermLength.max, 'Search for less.'),
        z.trim(),
        minTextLength(messageSearchTermLength.min, 'Type two letters.'),
        maxTextLength(messageSearchTermLength.max, 'Search for less.'),
      ),
    conversationId: z.optional(fields.publicIdSchema),
    before: z.optional(fields.publicIdSchema),
  }),
  output: z.object({
    documents: z.array(z.object({ message: messageSchema, conversation: conversationSchema })),
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'search',
})
