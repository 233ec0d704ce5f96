import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { personSummarySchema } from '../people/people.ts'

/** Fractions of the photo's size. */
export const photoTagPositionFields = {
  x: z.number().check(z.minimum(0), z.maximum(1)),
  y: z.number().check(z.minimum(0), z.maximum(1)),
}

/** Only the tagged member sees `declined`. */
const photoTagStateSchema = z.enum(['waiting', 'shown', 'declined'])

export const photoTagSchema = z.object({
  $id: fields.publicIdSchema,
  person: personSummarySchema,
  imageId: fields.publicIdSchema,
  ...photoTagPositionFields,
  state: photoTagStateSchema,
  me: z.optional(z.literal(true)),
  hidden: z.optional(z.literal(true)),
})

export type PhotoTag = z.infer<typeof photoTagSchema>
