import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { removedMetadataSchema } from '../files/files.ts'
import { audienceKindSchema } from './audience-kind.ts'

/** Only the author sees this. It never shows who saw the post. */
export const shareReceiptSchema = z.object({
  with: audienceKindSchema,
  /** The number of readers at the time `at`. Null if everyone can read the post, or if unknown. */
  count: z.nullable(z.number()),
  /** When the post was created, or moved into or out of a group. */
  at: fields.isoTimestampSchema,
  removed: z.array(removedMetadataSchema),
})
export type ShareReceipt = z.infer<typeof shareReceiptSchema>
