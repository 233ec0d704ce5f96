/**
 * Uploads an image: up to one chunk's size in one plain request, anything larger chunk by chunk, so that a broken
 * upload resumes where it stopped. Uses XMLHttpRequest, because fetch does not report upload progress.
 */

import type { RemovedMetadata, UploadedFile as StoredFile } from '#contract/files/files.ts'
import {
  deleteFileEndpoint,
  getFileEndpoint,
  uploadChunkEndpoint,
  uploadFileEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import { ApiError, callApiOperation, getApiOperationPath, toApiError } from './client.ts'
import { readFallbackCookies } from './cookie-fallback.ts'

type UploadOptions = {
  /** The share that has been sent, 0 to 1. */
  onProgress?: (share: number) => void
  /** Called with the file's id as soon as the server knows it: what `resume` takes after a break. */
  onBegun?: (fileId: string) => void
  /** The id of an upload of the same file that broke off. */
  resume?: string
  signal?: AbortSignal
}

/**
 * @throws ApiError 'Network request failed' (code 0) when the connection breaks; the signal's reason when aborted
 */
export async function uploadPicture(file: File, options: UploadOptions = {}): Promise<{ $id: string }> {
  const chunks = splitIntoUploadChunks(file.size)
  let stored = options.resume ? await storedPart(options.resume, options.signal) : undefined
  if (stored && stored.chunksUploaded >= stored.chunksTotal) return keepRemoved(file, stored)

  for (const chunk of chunks.slice(stored?.chunksUploaded ?? 0)) {
    stored = await send(file, chunk, stored?.$id, options)
    options.onBegun?.(stored.$id)
  }
  if (!stored) throw new ApiError(en('Network request failed', 'No hay conexión'))
  return keepRemoved(file, stored)
}

const removedByFile = new WeakMap<File, readonly RemovedMetadata[]>()

function keepRemoved(file: File, stored: StoredFile): StoredFile {
  removedByFile.set(file, [...new Set([...(removedHere.get(file) ?? []), ...(stored.removed ?? [])])])
  return stored
}

const removedHere = new WeakMap<File, readonly RemovedMetadata[]>()

/** Records which metadata was left out of a file already on the device. */
export const recordMetadataRemovedOnDevice = (file: File, removed: readonly RemovedMetadata[]): void =>
  void removedHere.set(file, removed)

/** Returns which metadata was removed from a file, on the device or by the server; empty until uploaded. */
export const getRemovedMetadata = (file: File): readonly RemovedMetadata[] => removedByFile.get(file) ?? []

/** Deletes an upload that no record uses. Failures are ignored: the server purges unused files after a day. */
export async function discardUpload(fileId: string): Promise<void> {
  await callApiOperation(deleteFileEndpoint, { fileId }).catch(() => {})
}

/**
 * A byte range; `end` is exclusive. An empty file is one empty chunk, so that the server reports what is wrong with
 * it.
 */
type Chunk = { start: number; end: number }

export function splitIntoUploadChunks(size: number): Chunk[] {
  const count = Math.max(1, Math.ceil(size / uploadChunkBytes))
  return Array.from({ length: count }, (_, index) => ({
    start: index * uploadChunkBytes,
    end: Math.min((index + 1) * uploadChunkBytes, size),
  }))
}

/** Reads how much of an upload has arrived; undefined when the server has purged it. */
async function storedPart(fileId: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
  try {
    return await callApiOperation(getFileEndpoint, { fileId }, signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

/** Keeps the name on the device: phones and messengers write people, places and times into it. */
const neutralName = ({ type }: Blob): string => (type === 'image/png' ? 'photo.png' : 'photo.jpg')

function send(
  file: File,
  { start, end }: Chunk,
  fileId: string | undefined,
  { onProgress, signal }: UploadOptions,
): Promise<StoredFile> {
  const body = new FormData()
  body.append('file', new File([file.slice(start, end)], neutralName(file), { type: file.type }))

  const xhr = new XMLHttpRequest()
  xhr.open(
    'POST',
    fileId === undefined
      ? getApiOperationPath(uploadFileEndpoint, {})
      : getApiOperationPath(uploadChunkEndpoint, { fileId }),
  )
  if (file.size > uploadChunkBytes)
    xhr.setRequestHeader('content-range', `bytes ${start}-${end - 1}/${file.size}`)
  const fallback = readFallbackCookies()
  if (fallback) xhr.setRequestHeader('x-fallback-cookies', fallback)

  return new Promise((resolve, reject) => {
    const abort = () => xhr.abort()
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', abort)

    // `loaded` counts the multipart frame too, which is not part of the file.
    xhr.upload.onprogress = ({ loaded }) => onProgress?.(Math.min(start + loaded, end) / file.size)
    xhr.onload = () => {
      const answer = parsed(xhr.responseText)
      if (xhr.status < 400) resolve(answer as StoredFile)
      else reject(toApiError(xhr.status, answer))
    }
    xhr.onerror = () => reject(new ApiError(en('Network request failed', 'No hay conexión')))
    xhr.onabort = () => reject(signal?.reason)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    xhr.send(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
