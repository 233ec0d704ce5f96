/** What the profile form holds (spec §5 Profile edit). Username and e-mail are shown and never sent. */
import * as z from 'zod/mini'
import * as fields from '#contract/fields.ts'

export const profileDraft = z.object({
  /** Any: the picture she has satisfies it, and so does none (conflict C-22). */
  photo: z.nullable(z.custom<File>()),
  name: fields.name,
  username: fields.username,
  email: fields.email,
  bio: fields.bio,
})

export type ProfileDraft = z.input<typeof profileDraft>
export type ProfileValues = z.output<typeof profileDraft>
