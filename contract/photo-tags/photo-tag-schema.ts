/** A photo tag: somebody who is in a photo of a post. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { personSummarySchema } from '../people/people.ts'

/** A place in a photo, as parts of its width and height. */
export const photoTagPositionFields = {
  x: z.number().check(z.minimum(0), z.maximum(1)),
  y: z.number().check(z.minimum(0), z.maximum(1)),
}

/** Tells what who is tagged has answered: nothing yet (`waiting`), yes (`shown`) or no (`declined`, which only who is tagged is told). */
const photoTagStateSchema = z.enum(['waiting', 'shown', 'declined'])

export const photoTagSchema = z.object({
  $id: fields.publicIdSchema,
  person: personSummarySchema,
  imageId: fields.publicIdSchema,
  ...photoTagPositionFields,
  state: photoTagStateSchema,
  /** It is the caller, whose answer it waits for and who may hide the photo. */
  me: z.optional(z.literal(true)),
  /** The caller wants the photo hidden. */
  hidden: z.optional(z.literal(true)),
})

export type PhotoTag = z.infer<typeof photoTagSchema>
