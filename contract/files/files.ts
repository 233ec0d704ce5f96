/** Files: the images that posts, profiles and groups show. Each is uploaded first and belongs to nothing until a record names it. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'

/** What a picture can carry besides what is seen, and loses on the way in. */
export const removedMetadataSchema = z.enum(['place', 'camera', 'time', 'text', 'thumbnail'])
export type RemovedMetadata = z.infer<typeof removedMetadataSchema>

/** An upload as far as it has come; all chunks have arrived once the image is stored. */
const file = z.object({
  $id: fields.publicIdSchema,
  chunksTotal: z.number(),
  /** Chunks from the first on that need not be sent again. */
  chunksUploaded: z.number(),
  /** What the stored picture has lost, for its owner alone, once it is stored. */
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
 * Uploads an image, or its first chunk: an image larger than `uploadChunkBytes` travels in chunks of that size, each with a
 * `Content-Range` header (`bytes 0-5242879/12000000`).
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

/** Uploads a further chunk, in any order; a chunk sent twice counts once. */
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

/** Returns how far an upload has come, so that a client resumes it. */
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
 * Returns the image at the next larger of `imageVariantWidthsPx`, as WebP for a client that accepts it; without a width the
 * sanitized original, of which a range may be requested.
 */
export const getFileContentOperation = defineOperation({
  name: 'getFileContent',
  method: 'GET',
  path: '/files/:fileId/content',
  input: z.object({
    fileId: fields.publicIdSchema,
    /** Pixels. */
    width: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(4000))),
  }),
  output: z.void(),
  errors: ['storage_file_not_found', 'storage_invalid_range'],
  limit: 'image',
  responseBody: 'image',
})

/** Deletes an upload of one's own that no record uses. */
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
