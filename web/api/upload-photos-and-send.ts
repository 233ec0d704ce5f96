import { ApiError } from './client.ts'
import { uploadPicture } from './upload.ts'

export type PendingPhoto = {
  file: File
  alt: string
  imageId?: string
}

/**
 * Each upload is saved, so a retry sends the same ids. Uploads that the server has deleted, because nothing used them
 * for a day, are repeated.
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
