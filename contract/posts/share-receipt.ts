import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { removedMetadataSchema } from '../files/files.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** For the author. It never shows who saw the post. */
export const shareReceiptSchema = z.object({
  with: audienceKindSchema,
  /** Readers at that time. Null for everyone, or if unknown. */
  count: z.nullable(z.number()),
  /** Of the creation, or of a move into or out of a group. */
  at: fields.isoTimestampSchema,
  removed: z.array(removedMetadataSchema),
})
export type ShareReceipt = z.infer<typeof shareReceiptSchema>
