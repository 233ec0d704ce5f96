/** An upload is unused until a post, profile or group uses it. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

/** Images lose these kinds of metadata at upload. */
export const removedMetadataSchema = z.enum(['place', 'camera', 'time', 'text', 'thumbnail'])
export type RemovedMetadata = z.infer<typeof removedMetadataSchema>

const file = z.object({
  $id: fields.publicIdSchema,
  chunksTotal: z.number(),
  /** The number of chunks, counted from the first, that the client need not send again. */
  chunksUploaded: z.number(),
  /** Only the owner receives this list. */
  removed: z.optional(z.array(removedMetadataSchema)),
})

export type UploadedFile = z.infer<typeof file>

const uploadErrors = [
  'storage_file_empty',
  'storage_file_damaged',
  'storage_file_type_unsupported',
  'storage_image_too_large',
  'storage_invalid_file_size',
  'storage_invalid_content_range',
  'storage_device_full',
] as const

/**
 * An image larger than `uploadChunkBytes` is sent in chunks of that size, with a `Content-Range` header
 * (`bytes 0-5242879/12000000`).
 */
export const uploadFileOperation = defineOperation({
  name: 'uploadFile',
  method: 'POST',
  path: '/files',
  status: 201,
  input: z.object({}),
  output: file,
  errors: uploadErrors,
  limit: ['upload', 'upload-kilobytes'],
  requestBody: 'multipart',
})

/** Chunks may come in any order. A repeated chunk counts once. */
export const uploadChunkOperation = defineOperation({
  name: 'uploadChunk',
  method: 'POST',
  path: '/files/:fileId/chunks',
  status: 201,
  input: z.object({ fileId: fields.publicIdSchema }),
  output: file,
  errors: ['storage_file_not_found', 'storage_file_already_exists', ...uploadErrors],
  limit: ['upload', 'upload-kilobytes'],
  requestBody: 'multipart',
})

export const getFileOperation = defineOperation({
  name: 'getFile',
  method: 'GET',
  path: '/files/:fileId',
  input: z.object({ fileId: fields.publicIdSchema }),
  output: file,
  errors: ['storage_file_not_found'],
  limit: 'read',
})

/**
 * Returns the next larger width of `imageVariantWidthsPx`, as WebP if accepted. Without a width, returns the
 * sanitised original and supports ranges.
 */
export const getFileContentOperation = defineOperation({
  name: 'getFileContent',
  method: 'GET',
  path: '/files/:fileId/content',
  input: z.object({
    fileId: fields.publicIdSchema,
    /** The width in pixels. */
    width: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(4000))),
  }),
  output: z.void(),
  errors: ['storage_file_not_found', 'storage_invalid_range'],
  limit: 'image',
  responseBody: 'image',
})

/** Refuses an upload that is in use. */
export const deleteFileOperation = defineOperation({
  name: 'deleteFile',
  method: 'DELETE',
  path: '/files/:fileId',
  status: 204,
  input: z.object({ fileId: fields.publicIdSchema }),
  output: z.void(),
  errors: ['storage_file_not_found', 'storage_file_in_use'],
  limit: 'write',
})
