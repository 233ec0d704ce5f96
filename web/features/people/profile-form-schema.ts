/** The schema of the profile form. The username and the email address are shown but never sent. */
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import type { OperationInput } from '#contract/operation.ts'
import type { updateProfileOperation } from '#contract/people/people.ts'

type ProfileText = Exclude<
  keyof OperationInput<typeof updateProfileOperation>,
  'personId' | 'userId' | 'imageId'
>

export const profileFormSchema = z.object({
  /** A new photo. Without one, the stored photo is kept. */
  photo: z.nullable(z.custom<File>()),
  name: fields.personNameSchema,
  username: fields.usernameSchema,
  email: fields.emailSchema,
  bio: fields.bioSchema,
} satisfies Record<ProfileText, z.ZodMiniType> & Record<string, z.ZodMiniType>)

export type ProfileFormDraft = z.input<typeof profileFormSchema>
export type ProfileFormValues = z.output<typeof profileFormSchema>
