/**
 * One multipart request of an upload, streamed to disk: what it says is checked before its body is read, and fields may
 * come before or after the file (platform reference §9.2).
 */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadChunkBytes, uploadMaxBytes } from '#contract/limits.ts'
import type { Blobs } from '../blobs.ts'
import { asFailure, fail } from '../errors.ts'
import { chosenByServer, isId, newId } from '../ids.ts'
import type { Piece } from '../uploads.ts'
import { checkTotal, type PieceRange, readPieceRange } from './content-range.ts'
import { checkPermissions } from './permissions.ts'

/** What a multipart body is larger than the file in it, at most. */
const frame = 64 * 1024

export const multipartLimits = {
  fileSize: uploadChunkBytes,
  files: 1,
  fields: 20,
  parts: 21,
  fieldSize: 4096,
  fieldNameSize: 100,
  headerPairs: 20,
}

/**
 * Reads the request and hands over its piece; the bytes are gone when `work` has ended.
 * @throws Failure with a clear sentence for everything that is wrong with the request
 */
export async function withPiece<T>(
  request: FastifyRequest,
  blobs: Blobs,
  work: (piece: Piece) => Promise<T>,
): Promise<T> {
  const { range, continued } = announced(request)
  await using scratch = await blobs.begin(uploadChunkBytes)
  const { fileId, name, size, path } = await readBody(request, join(scratch.path, 'piece'))
  if (size === 0) fail('storage_file_empty', { field: 'file' })
  if (range && range.size !== size) {
    fail('storage_invalid_content_range', {
      message: `The content range announces ${range.size} bytes and the request carries ${size}.`,
    })
  }
  const { total, number } = range ?? { total: size, number: 0 }
  // Awaited here: else the scratch would be gone before the work has begun.
  return await work({
    fileId: continued ?? chosenId(fileId),
    continues: continued !== undefined,
    name,
    total,
    number,
    size,
    path,
  })
}

/** Everything that the headers tell. */
function announced(request: FastifyRequest): { range?: PieceRange; continued?: string } {
  if (!request.isMultipart()) fail('general_content_type_invalid')
  const {
    'content-range': rangeHeader,
    'x-appwrite-id': continued,
    'content-length': length,
  } = request.headers
  if (continued !== undefined && !isId(continued)) fail('storage_invalid_appwrite_id')
  const range = rangeHeader === undefined ? undefined : readPieceRange(rangeHeader)
  const bytes = Number(length ?? 0)
  if (!range && bytes > uploadMaxBytes + frame) checkTotal(bytes)
  if (bytes > uploadChunkBytes + frame) tooLargeForOne()
  return { range, continued: continued as string | undefined }
}

function tooLargeForOne(): never {
  return fail('general_payload_too_large', {
    message: `The request is too large. A file over ${uploadChunkBytes} bytes travels in pieces with a Content-Range.`,
  })
}

type Body = { fileId: string | undefined; name: string; size: number; path: string }

async function readBody(request: FastifyRequest, path: string): Promise<Body> {
  let fileId: string | undefined
  let file: Pick<Body, 'name' | 'size'> | undefined
  const permissions: unknown[] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') file = await keep(part, path)
      else if (part.fieldname === 'fileId' && typeof part.value === 'string') fileId = part.value
      else if (/^permissions\[\d*\]$/.test(part.fieldname)) permissions.push(part.value)
    }
  } catch (thrown) {
    // What is left of the body is let through, so that the client gets to read the answer.
    request.raw.unpipe()
    request.raw.resume()
    // A body that was read to its end counts as destroyed too.
    if (request.raw.destroyed && !request.raw.complete)
      fail('storage_file_damaged', { message: 'The upload broke off.', cause: thrown })
    if (asFailure(thrown) || hasStatus(thrown) || isOfOurDisk(thrown)) throw thrown
    // A boundary that is missing or impossible, or a part whose head cannot be read.
    fail('general_argument_invalid', { message: 'The multipart body cannot be read.', cause: thrown })
  }
  checkPermissions(permissions)
  if (!file) return fail('storage_file_empty', { message: 'Param "file" is not optional.', field: 'file' })
  return { fileId, path, ...file }
}

/** What the parser itself refuses, too many parts for one, says so with a status. */
const hasStatus = (thrown: unknown) => typeof (thrown as { statusCode?: unknown }).statusCode === 'number'

/** A full disk is no fault of what was sent. */
const isOfOurDisk = (thrown: unknown) => typeof (thrown as NodeJS.ErrnoException).syscall === 'string'

async function keep(part: MultipartFile, path: string): Promise<Pick<Body, 'name' | 'size'>> {
  if (part.fieldname !== 'file') {
    fail('general_argument_invalid', {
      message: 'The file belongs into the part "file".',
      field: part.fieldname,
    })
  }
  await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
  if (part.file.truncated) tooLargeForOne()
  return { name: cleanName(part.filename ?? ''), size: part.file.bytesRead }
}

function chosenId(fileId: string | undefined): string {
  if (fileId === undefined) {
    return fail('general_argument_invalid', { message: 'Param "fileId" is not optional.', field: 'fileId' })
  }
  if (fileId === chosenByServer) return newId()
  if (isId(fileId)) return fileId
  return fail('general_argument_invalid', {
    message:
      "Invalid `fileId` param: Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
    field: 'fileId',
  })
}

/** For show only: without folders, controls and marks that turn the writing direction (security reference F05). */
function cleanName(given: string): string {
  const base = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const clean = base.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu, '').trim()
  return [...clean].slice(0, 255).join('') || 'picture'
}
