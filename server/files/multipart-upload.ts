/** The form's fields may come before or after the file. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { uploadChunkBytes, uploadMaxBytes } from '#contract/limits.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { throwFailure, toFailure } from '../errors.ts'
import type { ReceivedChunk } from './receive-upload-chunk.ts'

/** The bytes of a body besides its file. */
const frameBytes = 64 * 1024

const multipartLimits = {
  fileSize: uploadChunkBytes,
  files: 1,
  fields: 20,
  parts: 21,
  fieldSize: 4096,
  fieldNameSize: 100,
  headerPairs: 20,
}

export type MultipartFormField = { name: string; value: unknown }

export type UploadRequestReader = {
  continuedId(request: FastifyRequest): string | undefined
  checkFields(fields: readonly MultipartFormField[]): void
  newId(fields: readonly MultipartFormField[]): string
}

/** All other routes refuse multipart bodies. */
export function addMultipartRoutes(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    await scope.register(multipart, { limits: multipartLimits, throwFileSizeLimit: false })
    addRoutes(scope)
  })
}

/** Removes the chunk after `work`. @throws Failure */
export async function withUploadChunk<T>(
  request: FastifyRequest,
  blobs: BlobStore,
  form: UploadRequestReader,
  work: (chunk: ReceivedChunk) => Promise<T>,
): Promise<T> {
  const { range, continuedId } = readHeaders(request, form)
  await using scratch = await blobs.begin(uploadChunkBytes)
  const { fields, name, size, path } = await readBody(request, join(scratch.path, 'chunk'), form)
  if (size === 0) throwFailure('storage_file_empty', { field: 'file' })
  if (range && range.size !== size) {
    throwFailure('storage_invalid_content_range', {
      message: `The content range announces ${range.size} bytes and the request carries ${size}.`,
    })
  }
  const { total, number } = range ?? { total: size, number: 0 }
  const fileId = continuedId ?? form.newId(fields)
  // `await` keeps the scratch folder until `work` has finished.
  return await work({ fileId, continues: continuedId !== undefined, name, total, number, size, path })
}

function readHeaders(
  request: FastifyRequest,
  form: UploadRequestReader,
): { range?: UploadChunkRange; continuedId?: string } {
  if (!request.isMultipart()) throwFailure('general_content_type_invalid')
  const { 'content-range': rangeHeader, 'content-length': length } = request.headers
  const continuedId = form.continuedId(request)
  const range = rangeHeader === undefined ? undefined : parseUploadChunkRange(rangeHeader)
  const bytes = Number(length ?? 0)
  if (!range && bytes > uploadMaxBytes + frameBytes) assertUploadTotalBytesAllowed(bytes)
  if (bytes > uploadChunkBytes + frameBytes) failTooLarge()
  return { range, continuedId }
}

/** Bytes. Uploads are sent in chunks of 5 MiB, except a shorter last one. `number` starts at 0. */
type UploadChunkRange = { total: number; number: number; size: number }

/**
 * @param header such as `bytes 0-5242879/12000000`
 * @throws Failure storage_invalid_content_range, storage_invalid_file_size
 */
export function parseUploadChunkRange(header: string): UploadChunkRange {
  const [, first, last, whole] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header) ?? []
  if (whole === undefined) return throwFailure('storage_invalid_content_range')
  const [start, end, total] = [Number(first), Number(last), Number(whole)]
  assertUploadTotalBytesAllowed(total)
  const expected = Math.min(start + uploadChunkBytes, total) - 1
  if (start > end || start % uploadChunkBytes !== 0 || end !== expected) {
    throwFailure('storage_invalid_content_range', {
      message: `The content range is invalid. Pieces begin at multiples of ${uploadChunkBytes} bytes and are as long, but for the last.`,
    })
  }
  return { total, number: start / uploadChunkBytes, size: end - start + 1 }
}

function assertUploadTotalBytesAllowed(total: number): void {
  if (total > uploadMaxBytes) {
    throwFailure('storage_invalid_file_size', {
      message: `File size not allowed. A picture may have at most ${uploadMaxBytes / 1e6} MB.`,
      field: 'file',
    })
  }
}

function failTooLarge(): never {
  return throwFailure('general_payload_too_large', {
    message: `The request is too large. A file over ${uploadChunkBytes} bytes travels in pieces with a Content-Range.`,
  })
}

type Body = { fields: MultipartFormField[]; name: string; size: number; path: string }

async function readBody(request: FastifyRequest, path: string, form: UploadRequestReader): Promise<Body> {
  const fields: MultipartFormField[] = []
  let file: Pick<Body, 'name' | 'size'> | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') file = await storeFile(part, path)
      else fields.push({ name: part.fieldname, value: part.value })
    }
  } catch (thrown) {
    // Lets the client read the response.
    request.raw.unpipe()
    request.raw.resume()
    // `destroyed` is also true for a body that was read completely.
    if (request.raw.destroyed && !request.raw.complete)
      throwFailure('storage_file_damaged', { message: 'The upload broke off.', cause: thrown })
    if (toFailure(thrown) || hasStatus(thrown) || isDiskError(thrown)) throw thrown
    // The other errors are an invalid boundary or an unreadable header of a part.
    throwFailure('general_argument_invalid', { message: 'The multipart body cannot be read.', cause: thrown })
  }
  form.checkFields(fields)
  if (!file)
    return throwFailure('storage_file_empty', { message: 'Param "file" is not optional.', field: 'file' })
  return { fields, path, ...file }
}

/** The parser's errors, such as too many parts, have a status. */
const hasStatus = (thrown: unknown) => typeof (thrown as { statusCode?: unknown }).statusCode === 'number'

/** A full disk is not the client's fault. */
const isDiskError = (thrown: unknown) => typeof (thrown as NodeJS.ErrnoException).syscall === 'string'

async function storeFile(part: MultipartFile, path: string): Promise<Pick<Body, 'name' | 'size'>> {
  if (part.fieldname !== 'file') {
    throwFailure('general_argument_invalid', {
      message: 'The file belongs into the part "file".',
      field: part.fieldname,
    })
  }
  await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
  if (part.file.truncated) failTooLarge()
  return { name: cleanName(part.filename ?? ''), size: part.file.bytesRead }
}

/** Removes folders, control and bidirectional characters. */
function cleanName(given: string): string {
  const base = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const clean = base.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '').trim()
  return [...clean].slice(0, 255).join('') || 'picture'
}
