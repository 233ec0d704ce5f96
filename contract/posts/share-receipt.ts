import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { removedMetadataSchema } from '../files/files.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** A record of sharing a post, only for its author. It never shows who saw the post. */
export const shareReceiptSchema = z.object({
  with: audienceKindSchema,
  /** How many members could read the post at that time. Null for everyone, or if the number is unknown. */
  count: z.nullable(z.number()),
  /** When the post was shared: when it was created, or when it moved into or out of a group. */
  at: fields.isoTimestampSchema,
  /** The metadata that was removed from its picture. */
  removed: z.array(removedMetadataSchema),
})
export type ShareReceipt = z.infer<typeof shareReceiptSchema>
