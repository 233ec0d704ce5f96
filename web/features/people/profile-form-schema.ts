/** The schema of the profile form's draft. Username and e-mail are shown and never sent. */
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'

export const profileFormSchema = z.object({
  /** Any value: the stored image is enough, and so is none. */
  photo: z.nullable(z.custom<File>()),
  name: fields.personNameSchema,
  username: fields.usernameSchema,
  email: fields.emailSchema,
  bio: fields.bioSchema,
})

export type ProfileFormDraft = z.input<typeof profileFormSchema>
export type ProfileFormValues = z.output<typeof profileFormSchema>
