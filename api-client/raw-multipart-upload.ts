/** Sends Appwrite's chunked uploads without an SDK, for unusual requests. */
import { uploadChunkBytes } from '#contract/limits.ts'
import type { ApiClient, ApiResponse } from './member-client.ts'

export const appwriteFilesPath = '/v1/storage/buckets/media/files'

export type AppwriteFileResponse = {
  $id: string
  bucketId: string
  name: string
  signature: string
  mimeType: string
  sizeOriginal: number
  chunksTotal: number
  chunksUploaded: number
}

export type RawUploadRequest = {
  bytes: Uint8Array
  name?: string
  fileId?: string
  continues?: string
  /** Absent for the upload of a whole file. */
  range?: string
  parts?: ('fileId' | 'file')[]
  headers?: Record<string, string>
  path?: string
}

export async function encodeMultipartUpload(
  upload: RawUploadRequest,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const { bytes, name = 'picture.png', fileId = 'unique()', continues, range, headers = {} } = upload
  const form = new FormData()
  for (const part of upload.parts ?? ['fileId', 'file']) {
    if (part === 'fileId') form.append('fileId', fileId)
    else form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name)
  }
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return {
    body: Buffer.from(await request.arrayBuffer()),
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      ...(range === undefined ? {} : { 'content-range': range }),
      ...(continues === undefined ? {} : { 'x-appwrite-id': continues }),
      ...headers,
    },
  }
}

export async function sendRawUpload<
  T = AppwriteFileResponse & { type: string; message: string; field?: string },
>(person: ApiClient, upload: RawUploadRequest): Promise<ApiResponse<T>> {
  const { body, headers } = await encodeMultipartUpload(upload)
  return person.request<T>('POST', upload.path ?? appwriteFilesPath, body, headers)
}

export function sliceUploadChunk(bytes: Buffer, number: number): Pick<RawUploadRequest, 'bytes' | 'range'> {
  const start = number * uploadChunkBytes
  const piece = bytes.subarray(start, start + uploadChunkBytes)
  return { bytes: piece, range: `bytes ${start}-${start + piece.length - 1}/${bytes.length}` }
}
