import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { removedMetadataSchema } from '../files/files.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** What a post's author alone is told of having shared it. Who has seen it nobody is told. */
export const shareReceiptSchema = z.object({
  with: audienceKindSchema,
  /** How many members could read it then; null for everyone, and where it was not counted. */
  count: z.nullable(z.number()),
  /** When it was shared with them: at its making, or when it came to its group or out of one. */
  at: fields.isoTimestampSchema,
  /** What its picture has lost on the way in. */
  removed: z.array(removedMetadataSchema),
})
export type ShareReceipt = z.infer<typeof shareReceiptSchema>
