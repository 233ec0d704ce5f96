import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { removedMetadataSchema } from '../files/files.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** A receipt of sharing, only for the author. It never tells who saw the post. */
export const shareReceiptSchema = z.object({
  with: audienceKindSchema,
  /** Members who could read it then; null for everyone or if not counted. */
  count: z.nullable(z.number()),
  /** When it was shared: on posting, or when it moved into or out of a group. */
  at: fields.isoTimestampSchema,
  /** Metadata removed from its picture. */
  removed: z.array(removedMetadataSchema),
})
export type ShareReceipt = z.infer<typeof shareReceiptSchema>
