import { ApiError } from './client.ts'
import { uploadPicture } from './upload.ts'

/** A photo waiting to be sent with a message or post. */
export type PendingPhoto = {
  file: File
  alt: string
  /** Set once the photo is uploaded. */
  imageId?: string
}

/**
 * Uploads the remaining photos, then sends the record. Saves the progress after each upload, so that a retry sends the
 * same ids. If the server has deleted an upload because it was unused for a day, the photo is uploaded again.
 * @param keep saves the photos and the ids of their uploads
 */
export async function uploadPhotosAndSend<Answer>(
  photos: readonly PendingPhoto[],
  keep: (photos: PendingPhoto[]) => Promise<void>,
  send: (photos: { imageId: string; alt: string }[]) => Promise<Answer>,
): Promise<Answer> {
  const wereUploaded = photos.some(({ imageId }) => imageId)
  try {
    return await send(await uploadPhotos(photos, keep))
  } catch (error) {
    if (!wereUploaded || !(error instanceof ApiError) || error.type !== 'storage_file_not_found') throw error
    return send(
      await uploadPhotos(
        photos.map(({ file, alt }) => ({ file, alt })),
        keep,
      ),
    )
  }
}

async function uploadPhotos(
  photos: readonly PendingPhoto[],
  keep: (photos: PendingPhoto[]) => Promise<void>,
) {
  const kept = [...photos]
  for (const [at, photo] of photos.entries()) {
    if (photo.imageId) continue
    const { $id } = await uploadPicture(photo.file)
    kept[at] = { ...photo, imageId: $id }
    await keep([...kept])
  }
  return kept.map(({ imageId = '', alt }) => ({ imageId, alt }))
}
