/**
 * Sends a picture to the bucket by the dialect's upload protocol (spec §7 Storage, §9): up to one chunk's size in one plain
 * request, anything larger chunk by chunk, so that a broken upload goes on where it stopped. XMLHttpRequest, because fetch
 * does not tell how much has been sent.
 */
import { uploadChunkBytes } from '#contract/limits.ts'
import { ApiError, refusal, request } from './api.ts'
import { storedFallback } from './fallback-session.ts'

const filesPath = '/storage/buckets/media/files'

type StoredFile = { $id: string; chunksTotal: number; chunksUploaded: number }

type UploadOptions = {
  /** The share that has left, 0 to 1. */
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
  const chunks = chunksOf(file.size)
  let stored = options.resume ? await storedPart(options.resume, options.signal) : undefined
  if (stored && stored.chunksUploaded >= stored.chunksTotal) return stored

  for (const chunk of chunks.slice(stored?.chunksUploaded ?? 0)) {
    stored = await send(file, chunk, stored?.$id, options)
    options.onBegun?.(stored.$id)
  }
  if (!stored) throw new ApiError('Network request failed')
  return stored
}

/** Takes an upload back that no record uses. Whatever stands in the way, the server's sweep does it later (reading W-08). */
export async function discardUpload(fileId: string): Promise<void> {
  await request('DELETE', `${filesPath}/${encodeURIComponent(fileId)}`).catch(() => {})
}

/** `end` is exclusive. An empty file is one empty chunk: what is wrong with it, the server says. */
type Chunk = { start: number; end: number }

export function chunksOf(size: number): Chunk[] {
  const count = Math.max(1, Math.ceil(size / uploadChunkBytes))
  return Array.from({ length: count }, (_, index) => ({
    start: index * uploadChunkBytes,
    end: Math.min((index + 1) * uploadChunkBytes, size),
  }))
}

/** What the server kept of a broken upload; nothing when it has swept it away. */
async function storedPart(fileId: string, signal?: AbortSignal): Promise<StoredFile | undefined> {
  try {
    return await request<StoredFile>('GET', `${filesPath}/${encodeURIComponent(fileId)}`, undefined, signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

function send(
  file: File,
  { start, end }: Chunk,
  fileId: string | undefined,
  { onProgress, signal }: UploadOptions,
): Promise<StoredFile> {
  const body = new FormData()
  body.append('fileId', fileId ?? 'unique()')
  body.append('file', new File([file.slice(start, end)], file.name, { type: file.type }))

  const call = new XMLHttpRequest()
  call.open('POST', `/v1${filesPath}`)
  if (file.size > uploadChunkBytes)
    call.setRequestHeader('content-range', `bytes ${start}-${end - 1}/${file.size}`)
  if (fileId) call.setRequestHeader('x-appwrite-id', fileId)
  const fallback = storedFallback()
  if (fallback) call.setRequestHeader('x-fallback-cookies', fallback)

  return new Promise((resolve, reject) => {
    const abort = () => call.abort()
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', abort)

    // What the form's frame adds to the bytes is not the picture's.
    call.upload.onprogress = ({ loaded }) => onProgress?.(Math.min(start + loaded, end) / file.size)
    call.onload = () => {
      const answer = parsed(call.responseText)
      if (call.status < 400) resolve(answer as StoredFile)
      else reject(refusal(call.status, answer))
    }
    call.onerror = () => reject(new ApiError('Network request failed'))
    call.onabort = () => reject(signal?.reason)
    call.onloadend = () => signal?.removeEventListener('abort', abort)
    call.send(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
