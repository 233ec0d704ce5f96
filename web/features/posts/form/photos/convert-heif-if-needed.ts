import { recordMetadataRemovedOnDevice } from '#web/api/upload.ts'
import { isHeif } from '#web/ui/images/heif/is-heif.ts'

/** Makes a JPEG of a HEIC, HEIF or AVIF; what does it loads with the first of them. @throws PhotoRefusedError */
export async function convertHeifIfNeeded(file: File): Promise<File | undefined> {
  if (!isHeif(new Uint8Array(await file.slice(0, 12).arrayBuffer()))) return undefined
  const { convertHeifToJpeg } = await import('#web/ui/images/heif/convert-heif-to-jpeg.ts')
  const { file: jpeg, removed } = await convertHeifToJpeg(file)
  recordMetadataRemovedOnDevice(jpeg, removed)
  return jpeg
}
