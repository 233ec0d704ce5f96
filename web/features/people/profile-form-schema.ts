/** Username and email address are shown but never sent. */
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { updateProfileOperation } from '#contract/people/people.ts'

type ProfileText = Exclude<
  keyof OperationInput<typeof updateProfileOperation>,
  'personId' | 'userId' | 'imageId'
>

export const profileFormSchema = z.object({
  /** Null keeps the stored photo. */
  photo: z.nullable(z.custom<File>()),
  name: fields.personNameSchema,
  username: fields.usernameSchema,
  email: fields.emailSchema,
  bio: fields.bioSchema,
} satisfies Record<ProfileText, z.ZodMiniType> & Record<string, z.ZodMiniType>)

export type ProfileFormDraft = z.input<typeof profileFormSchema>
export type ProfileFormValues = z.output<typeof profileFormSchema>
