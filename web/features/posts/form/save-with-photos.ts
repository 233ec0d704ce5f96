import type { PhotoInput } from '#contract/posts/posts.ts'
import { ApiError } from '#web/api/client.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import type { PostDraftPhoto } from './post-form-schema.ts'

const filesOf = (photos: readonly PostDraftPhoto[]) => photos.flatMap(({ file }) => file ?? [])

/** Without an answer, keeps the uploads, because the post may already use them. */
export async function saveWithPhotos<Answer>(
  photos: readonly PostDraftPhoto[],
  uploads: ImageUploads,
  save: (photos: PhotoInput[]) => Promise<Answer>,
): Promise<Answer> {
  const stored = await Promise.all(
    photos.map(async ({ file, imageId, alt }) => ({
      imageId: file ? await uploads.begin(file) : (imageId ?? ''),
      alt,
    })),
  )
  try {
    const answer = await save(stored)
    uploads.release(filesOf(photos))
    return answer
  } catch (error) {
    if (!isUnansweredError(error)) for (const file of filesOf(photos)) uploads.cancel(file)
    throw error
  }
}

/** No answer arrived, so the request may have succeeded. */
export const isUnansweredError = (error: unknown): boolean => error instanceof ApiError && error.code === 0
