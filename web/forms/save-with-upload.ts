import { discardUpload } from '../api/upload.ts'

type Send = (file: File) => Promise<string>

/**
 * @param picture the new file, or a placeholder if there is no new file
 * @param save receives the uploaded id, or undefined if there is no new file
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

export const isAbortError = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
