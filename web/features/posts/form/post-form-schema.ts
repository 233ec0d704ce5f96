/** The schema of the post form's draft, and what the form makes of it. */
import * as z from 'zod/mini'
import { parseTags } from '#contract/field-schemas.ts'
import { createPostOperation, type Post } from '#contract/posts.ts'

const { caption, location, tags } = createPostOperation.input.shape

/** Tags: one text in the form, a list for the server; its faults are the text's. */
const typedTags = z.pipe(
  z.string(),
  z.transform((typed, context) => {
    const parsed = tags.safeParse(parseTags(typed))
    if (parsed.success) return parsed.data
    context.issues.push({ code: 'custom', message: parsed.error.issues[0]?.message, input: typed })
    return z.NEVER
  }),
)

export const postFormSchema = z.object({
  caption,
  file: z.pipe(
    z.custom<File | null>((chosen) => chosen instanceof File, 'Required'),
    z.transform((chosen) => chosen as File),
  ),
  location,
  tags: typedTags,
  /** Empty for a public post, which is stored as null. */
  groupId: z.pipe(
    z.string(),
    z.transform((chosen) => chosen || null),
  ),
})

/** Only a replacement is a file; without one the stored image stays. */
export const postEditFormSchema = z.extend(postFormSchema, { file: z.custom<File | null>() })

export type PostFormDraft = z.input<typeof postFormSchema>
export type PostFormValues = z.output<typeof postFormSchema>
export type PostEditFormValues = z.output<typeof postEditFormSchema>

/** A new post's form. */
export const createEmptyPostFormDraft = (groupId: string): PostFormDraft => ({
  caption: '',
  file: null,
  location: '',
  tags: '',
  groupId,
})

export const toPostFormDraft = ({ caption, location, tags, groupId }: Post): PostFormDraft => ({
  caption,
  file: null,
  location,
  tags: tags.join(', '),
  groupId: groupId ?? '',
})
