import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

const postEditSchema = z.object({
  caption: z.string(),
  location: z.string(),
  tags: z.array(z.string()),
  until: fields.isoTimestampSchema,
})
export type PostEdit = z.infer<typeof postEditSchema>

/** Lists at most fifty edits, newest first. Earlier photos are not kept. */
export const listPostEditsOperation = defineOperation({
  name: 'listPostEdits',
  method: 'GET',
  path: '/posts/:postId/edits',
  input: z.object({ postId: fields.publicIdSchema }),
  output: z.object({ documents: z.array(postEditSchema) }),
  errors: ['document_not_found', 'user_unauthorized'],
  limit: 'read',
})
