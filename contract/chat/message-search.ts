/** Finding messages by their words, in the caller's own conversations. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength, minTextLength } from '../text-length.ts'
import { conversationSchema } from './conversations.ts'
import { messageSchema } from './messages.ts'

export const messageSearchTermLength = { min: 2, max: 100 } as const
export const maxFoundMessages = 20

/**
 * Finds messages by a part of their words, without regard to case and accents, newest first; no unsent ones. A request looks at so
 * many of the newest messages: at 5,000 of one conversation, or at 500 of each of the fifty that the list has. `next` goes on from
 * where it stopped, also where nothing was found.
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
    /** In this one alone. */
    conversationId: z.optional(fields.publicIdSchema),
    /** Messages before this one: `next` of an earlier answer. */
    before: z.optional(fields.publicIdSchema),
  }),
  output: z.object({
    documents: z.array(z.object({ message: messageSchema, conversation: conversationSchema })),
    /** Null where there is nothing further back. */
    next: z.nullable(fields.publicIdSchema),
  }),
  errors: ['document_not_found', 'general_cursor_not_found'],
  limit: 'search',
})
