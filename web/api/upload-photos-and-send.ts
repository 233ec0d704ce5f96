/** Uploads the photos of a message or post before it is sent. */
import { ApiError } from './client.ts'
import { uploadPicture } from './upload.ts'

/** A photo that waits with what shows it. */
export type PendingPhoto = {
  file: File
  alt: string
  /** What it is stored under, once it is. */
  imageId?: string
}

/**
 * Uploads what is left of the photos, then sends what shows them. Each upload is kept before the next, so that what is sent again names the
 * same ones, and is the same to the server. Uploads that nobody used for a day are gone: they are made once more.
 * @param keep stores the photos with what is uploaded of them
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
