import { discardUpload } from '../api/upload.ts'

type Send = (file: File) => Promise<string>

/**
 * Uploads a form's new file, then saves the form. If the server refuses to save, the upload is discarded.
 * @param picture the new file, or a placeholder if there is a stored file or no file
 * @param send uploads a file and resolves with its id
 * @param save receives this id, or undefined if there is no new file
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

/** Whether the upload stopped because the member cancelled it or left the page. */
export const isAbortError = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
