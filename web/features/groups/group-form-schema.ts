import * as z from 'zod/mini'
import { groupDescriptionSchema, groupNameSchema } from '#contract/field-schemas.ts'

export const groupFormSchema = z.object({
  name: groupNameSchema,
  description: groupDescriptionSchema,
  /** 'kept' is the existing image; null removes it. */
  photo: z.custom<File | 'kept' | null>(
    (photo) => photo === null || photo === 'kept' || photo instanceof File,
  ),
})

export type GroupFormDraft = z.input<typeof groupFormSchema>
export type GroupFormValues = z.output<typeof groupFormSchema>
