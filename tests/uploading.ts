/** The upload protocol by hand (platform reference §9.2), for what no client library would send. */
import { readdirSync } from 'node:fs'
import { uploadChunkBytes } from '#contract/limits.ts'
import type { Answer, Asking } from './person.ts'

export const filesPath = '/v1/storage/buckets/media/files'

export type StoredFile = {
  $id: string
  bucketId: string
  name: string
  signature: string
  mimeType: string
  sizeOriginal: number
  chunksTotal: number
  chunksUploaded: number
}

export type Upload = {
  bytes: Uint8Array
  name?: string
  fileId?: string
  /** The header that says which upload this continues. */
  continues?: string
  /** `content-range`; none for a file sent whole. */
  range?: string
  /** Which of the form's parts come, in which order. */
  parts?: ('fileId' | 'file')[]
  headers?: Record<string, string>
  path?: string
}

/** The body and headers of one request. */
export async function formOf(upload: Upload): Promise<{ body: Buffer; headers: Record<string, string> }> {
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

export async function send<T = StoredFile & { type: string; message: string; field?: string }>(
  person: Asking,
  upload: Upload,
): Promise<Answer<T>> {
  const { body, headers } = await formOf(upload)
  return person.request<T>('POST', upload.path ?? filesPath, body, headers)
}

/** One piece of a file that travels in pieces. */
export function pieceOf(bytes: Buffer, number: number): Pick<Upload, 'bytes' | 'range'> {
  const start = number * uploadChunkBytes
  const piece = bytes.subarray(start, start + uploadChunkBytes)
  return { bytes: piece, range: `bytes ${start}-${start + piece.length - 1}/${bytes.length}` }
}

/** Paths of all files below a folder: what is stored. */
export const storedIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => `${each.parentPath}/${each.name}`)
