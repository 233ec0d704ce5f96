import { noteRemovedOnDevice } from '#web/api/upload.ts'
import { isHeif } from '#web/ui/images/heif/heif-brands.ts'

/** Makes a JPEG of a HEIC, HEIF or AVIF; what does it loads with the first of them. @throws PhotoRefusedError */
export async function preparePhoto(file: File): Promise<File | undefined> {
  if (!isHeif(new Uint8Array(await file.slice(0, 12).arrayBuffer()))) return undefined
  const { convertPhoto } = await import('#web/ui/images/heif/convert-photo.ts')
  const { file: jpeg, removed } = await convertPhoto(file)
  noteRemovedOnDevice(jpeg, removed)
  return jpeg
}
