import { discardUpload } from '../api/upload.ts'

type Send = (file: File) => Promise<string>

/**
 * Uploads a form's new file, then saves; a refused save discards the upload.
 * @param picture a new file, or a placeholder for the stored one or none
 * @param send uploads a file and resolves with its id
 * @param save receives that id, or undefined without a new file
 */
export function saveWithUpload<Answer>(
  picture: File,
  send: Send,
  save: (imageId: string) => Promise<Answer>,
): Promise<Answer>
export function saveWithUpload<Answer>(
  picture: unknown,
  send: Send,
  save: (imageId?: string) => Promise<Answer>,
): Promise<Answer>
export async function saveWithUpload<Answer>(
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

/** Whether the member cancelled the upload or left the page. */
export const isAbortError = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
