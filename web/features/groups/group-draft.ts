/** What the group form holds while it is filled in (spec §5 Group). */
import * as z from 'zod/mini'
import { groupDescription, groupName } from '#contract/fields.ts'

export const groupDraft = z.object({
  name: groupName,
  description: groupDescription,
  /** A new picture; the one the group has; or none. */
  photo: z.custom<File | 'kept' | null>(
    (photo) => photo === null || photo === 'kept' || photo instanceof File,
  ),
})

export type GroupDraft = z.input<typeof groupDraft>
export type GroupValues = z.output<typeof groupDraft>
