/** fetch does not report upload progress, so this uses XMLHttpRequest. Larger images go in resumable chunks. */

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
  /** Receives the sent share, from 0 to 1. */
  onProgress?: (share: number) => void
  /** Receives the id that can `resume` the upload. */
  onBegun?: (fileId: string) => void
  resume?: string
  signal?: AbortSignal
}

/**
 * @throws ApiError 'Network request failed' (code 0) if the connection breaks, or the signal's reason after an abort
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

export const recordMetadataRemovedOnDevice = (file: File, removed: readonly RemovedMetadata[]): void =>
  void removedHere.set(file, removed)

/** The device or the server removed this metadata. Empty until the file is uploaded. */
export const getRemovedMetadata = (file: File): readonly RemovedMetadata[] => removedByFile.get(file) ?? []

/** Ignores failures, because the server deletes unused files after a day. */
export async function discardUpload(fileId: string): Promise<void> {
  await callApiOperation(deleteFileEndpoint, { fileId }).catch(() => {})
}

/** `end` is exclusive. An empty file is one empty chunk, so that the server can refuse it. */
type Chunk = { start: number; end: number }

export function splitIntoUploadChunks(size: number): Chunk[] {
  const count = Math.max(1, Math.ceil(size / uploadChunkBytes))
  return Array.from({ length: count }, (_, index) => ({
    start: index * uploadChunkBytes,
    end: Math.min((index + 1) * uploadChunkBytes, size),
  }))
}

/** Undefined if the server has deleted the upload. */
async function storedPart(fileId: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
  try {
    return await callApiOperation(getFileEndpoint, { fileId }, signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

/** Phones and messaging apps put people, places and times into file names. */
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

    // `loaded` includes the multipart headers, so it can exceed `end`.
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
