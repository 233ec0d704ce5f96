import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { messageSchema, reactionEmojis } from './messages.ts'

export const reactOperation = defineOperation({
  name: 'react',
  method: 'PUT',
  path: '/messages/:messageId/reaction',
  input: z.object({ messageId: fields.publicIdSchema, emoji: z.enum(reactionEmojis) }),
  output: messageSchema,
  errors: ['document_not_found'],
  limit: 'like',
})

export const unreactOperation = defineOperation({
  name: 'unreact',
  method: 'DELETE',
  path: '/messages/:messageId/reaction',
  input: z.object({ messageId: fields.publicIdSchema }),
  output: messageSchema,
  errors: ['document_not_found'],
  limit: 'like',
})
