/** The schema of the post form's draft, and what the form makes of it. */
import * as z from 'zod/mini'
import { altTextSchema, parseTags } from '#contract/field-schemas.ts'
import { maxPostPhotos } from '#contract/limits.ts'
import { createPostOperation, type Post } from '#contract/posts.ts'
import { generateDocumentId } from '#web/api/ids.ts'

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

const draftPhotoSchema = z.object({
  /** Its own for as long as the form is open. */
  key: z.string(),
  /** Chosen just now; null for a stored one. */
  file: z.nullable(z.custom<File>((chosen) => chosen instanceof File)),
  /** Of a stored one. */
  imageId: z.nullable(z.string()),
  alt: altTextSchema,
})
export type DraftPhoto = z.output<typeof draftPhotoSchema>

export const postFormSchema = z.object({
  caption,
  /** In the order in which they are shown, the cover first. */
  photos: z
    .array(draftPhotoSchema)
    .check(z.minLength(1, 'Required'), z.maxLength(maxPostPhotos, 'Too many files')),
  location,
  tags: typedTags,
  /** Empty for a public post, which is stored as null. */
  groupId: z.pipe(
    z.string(),
    z.transform((chosen) => chosen || null),
  ),
})

export type PostFormDraft = z.input<typeof postFormSchema>
export type PostFormValues = z.output<typeof postFormSchema>

export const toDraftPhoto = (file: File): DraftPhoto => ({
  key: generateDocumentId(),
  file,
  imageId: null,
  alt: '',
})

/** A new post's form. */
export const createEmptyPostFormDraft = (groupId: string): PostFormDraft => ({
  caption: '',
  photos: [],
  location: '',
  tags: '',
  groupId,
})

export const toPostFormDraft = ({ caption, photos, location, tags, groupId }: Post): PostFormDraft => ({
  caption,
  photos: photos.map(({ id, alt }) => ({ key: id, file: null, imageId: id, alt })),
  location,
  tags: tags.join(', '),
  groupId: groupId ?? '',
})
