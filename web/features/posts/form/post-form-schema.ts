import * as z from 'zod/mini'
import { altTextSchema, parseTags } from '#contract/field-schemas.ts'
import { en } from '#contract/language.ts'
import { maxPostPhotos } from '#contract/limits.ts'
import { allowedCommentersSchema, createPostOperation, type Post } from '#contract/posts/posts.ts'
import { generateDocumentId } from '#web/api/ids.ts'
import type { CropFrame } from '#web/ui/images/crop/crop-frame.ts'

const { caption, location, tags } = createPostOperation.input.shape

/** The form has one text field for the list of tags. Errors about a single tag appear there. */
const typedTags = z.pipe(
  z.string(),
  z.transform((typed, context) => {
    const parsed = tags.safeParse(parseTags(typed))
    if (parsed.success) return parsed.data
    context.issues.push({ code: 'custom', message: parsed.error.issues[0]?.message, input: typed })
    return z.NEVER
  }),
)

/** @property imageId the stored photo, restored if the member undoes the crop */
type CroppedPhoto = { source: File; frame: CropFrame; imageId: string | null }

const draftPhotoSchema = z.object({
  key: z.string(),
  /** Null for a stored photo. */
  file: z.nullable(z.custom<File>((chosen) => chosen instanceof File)),
  /** Null for a new photo. */
  imageId: z.nullable(z.string()),
  cropped: z.optional(z.custom<CroppedPhoto>()),
  alt: altTextSchema,
})
export type PostDraftPhoto = z.output<typeof draftPhotoSchema>

/** True if the draft could not store the photo; only its position and description remain. */
export const isPhotoMissing = ({ file, imageId }: Pick<PostDraftPhoto, 'file' | 'imageId'>): boolean =>
  !file && !imageId
export const missingPhotoMessage = en('Choose this photo again', 'Vuelve a elegir esta foto')

export const postFormSchema = z.object({
  caption,
  photos: z.array(draftPhotoSchema).check(
    z.minLength(1, en('Required', 'Obligatorio')),
    z.maxLength(maxPostPhotos, en('Too many files', 'Demasiados archivos')),
    z.refine((photos) => !photos.some(isPhotoMissing), missingPhotoMessage),
  ),
  location,
  tags: typedTags,
  /** Empty for a public post, which the server stores as null. */
  groupId: z.pipe(
    z.string(),
    z.transform((chosen) => chosen || null),
  ),
  /** Undefined means the member's own setting. */
  commentsFrom: z.optional(allowedCommentersSchema),
})

export type PostFormDraft = z.input<typeof postFormSchema>
export type PostFormValues = z.output<typeof postFormSchema>

export const toPostDraftPhoto = (file: File): PostDraftPhoto => ({
  key: generateDocumentId(),
  file,
  imageId: null,
  alt: '',
})

export const createEmptyPostFormDraft = (groupId: string): PostFormDraft => ({
  caption: '',
  photos: [],
  location: '',
  tags: '',
  groupId,
})

export const toPostFormDraft = ({
  caption,
  photos,
  location,
  tags,
  groupId,
  commentsFrom,
}: Post): PostFormDraft => ({
  caption,
  photos: photos.map(({ id, alt }) => ({ key: id, file: null, imageId: id, alt })),
  location,
  tags: tags.join(', '),
  groupId: groupId ?? '',
  commentsFrom,
})
