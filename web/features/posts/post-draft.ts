/** What the post form holds while it is filled in, and what it makes of it (spec §5 Post). */
import * as z from 'zod/mini'
import { parseTags } from '#contract/fields.ts'
import { createPost, type Post } from '#contract/posts.ts'

const { caption, location, tags } = createPost.input.shape

/** One text to the member, a list to the server; its faults are the text's. */
const typedTags = z.pipe(
  z.string(),
  z.transform((typed, context) => {
    const parsed = tags.safeParse(parseTags(typed))
    if (parsed.success) return parsed.data
    context.issues.push({ code: 'custom', message: parsed.error.issues[0]?.message, input: typed })
    return z.NEVER
  }),
)

export const postDraft = z.object({
  caption,
  file: z.pipe(
    z.custom<File | null>((chosen) => chosen instanceof File, 'Required'),
    z.transform((chosen) => chosen as File),
  ),
  location,
  tags: typedTags,
  /** Empty: a public post, which is stored as null. */
  groupId: z.pipe(
    z.string(),
    z.transform((chosen) => chosen || null),
  ),
})

/** The stored picture satisfies it: only another one is a file (conflict C-22). */
export const editedPostDraft = z.extend(postDraft, { file: z.custom<File | null>() })

export type PostDraft = z.input<typeof postDraft>
export type PostValues = z.output<typeof postDraft>
export type EditedPostValues = z.output<typeof editedPostDraft>

export const draftOf = ({ caption, location, tags, groupId }: Post): PostDraft => ({
  caption,
  file: null,
  location,
  tags: tags.join(', '),
  groupId: groupId ?? '',
})
