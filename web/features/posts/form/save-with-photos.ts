/** Stores the photos of a form before the post that shows them. */
import type { PhotoInput } from '#contract/posts/posts.ts'
import { ApiError } from '#web/api/client.ts'
import type { ImageUploads } from '#web/forms/use-image-uploads.ts'
import type { PostDraftPhoto } from './post-form-schema.ts'

const filesOf = (photos: readonly PostDraftPhoto[]) => photos.flatMap(({ file }) => file ?? [])

/**
 * Uploads what is left of a form's new photos, then saves. The order is the form's, whichever arrives first. When the save is
 * refused the uploads are discarded; without an answer they stay, because the post may be stored with them.
 */
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

/** Says whether a request broke off without an answer: whether it was carried out is not known. */
export const isUnansweredError = (error: unknown): boolean => error instanceof ApiError && error.code === 0
