/** Somebody named in a photo of a post. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { personSummarySchema } from '../people.ts'

/** A place in a photo, as parts of its width and height. */
export const photoPlace = {
  x: z.number().check(z.minimum(0), z.maximum(1)),
  y: z.number().check(z.minimum(0), z.maximum(1)),
}

/** Tells what who is named has answered: nothing yet (`waiting`), yes (`shown`) or no (`declined`, which only who is named is told). */
const namingStateSchema = z.enum(['waiting', 'shown', 'declined'])

export const namedPersonSchema = z.object({
  $id: fields.publicIdSchema,
  person: personSummarySchema,
  imageId: fields.publicIdSchema,
  ...photoPlace,
  state: namingStateSchema,
  /** It is the caller, whose answer it waits for and who may hide the photo. */
  me: z.optional(z.literal(true)),
  /** The caller wants the photo hidden. */
  hidden: z.optional(z.literal(true)),
})

export type NamedPerson = z.infer<typeof namedPersonSchema>
