import { discardUpload } from './upload.ts'

type Send = (file: File) => Promise<string>

/**
 * Uploads what a form chose, then saves; a refused save leaves no upload behind (reading W-08).
 * @param picture a new file, or what stands for the one there is or for none
 * @param send gives the id of the uploaded file
 * @param save gets that id, or undefined when no new file was chosen
 */
export function withPicture<Answer>(
  picture: File,
  send: Send,
  save: (imageId: string) => Promise<Answer>,
): Promise<Answer>
export function withPicture<Answer>(
  picture: unknown,
  send: Send,
  save: (imageId?: string) => Promise<Answer>,
): Promise<Answer>
export async function withPicture<Answer>(
  picture: unknown,
  send: Send,
  save: (imageId: string) => Promise<Answer>,
): Promise<Answer> {
  if (!(picture instanceof File)) return (save as (imageId?: string) => Promise<Answer>)()
  const imageId = await send(picture)
  try {
    return await save(imageId)
  } catch (error) {
    void discardUpload(imageId)
    throw error
  }
}
