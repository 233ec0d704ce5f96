/** Reactions to messages: one of six, of each of the two. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { messageSchema, reactionEmojis } from './messages.ts'

/** Sets the caller's reaction, in place of the one before. */
export const reactOperation = defineOperation({
  name: 'react',
  method: 'PUT',
  path: '/messages/:messageId/reaction',
  input: z.object({ messageId: fields.publicIdSchema, emoji: z.enum(reactionEmojis) }),
  output: messageSchema,
  errors: ['document_not_found'],
  limit: 'like',
})

/** Takes the caller's reaction back; without one the answer is the same. */
export const unreactOperation = defineOperation({
  name: 'unreact',
  method: 'DELETE',
  path: '/messages/:messageId/reaction',
  input: z.object({ messageId: fields.publicIdSchema }),
  output: messageSchema,
  errors: ['document_not_found'],
  limit: 'like',
})
