/**
 * Data exports. The server gathers an export once, and the member downloads it as one zip archive. The archive is never
 * stored as a whole.
 */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { exportSteps } from './export-steps.ts'

const exportSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['gathering', 'ready', 'failed']),
  askedAt: fields.isoTimestampSchema,
  /** The step in progress. Null when the export is ready. */
  step: z.nullable(z.enum(exportSteps)),
  /** The number of photos read so far, and their total. */
  photosRead: z.number(),
  photos: z.number(),
  /** An estimate while the export is being gathered. */
  secondsLeft: z.nullable(z.number()),
  /** The size of the archive and its expiry, when it is ready. */
  bytes: z.nullable(z.number()),
  diesAt: z.nullable(fields.isoTimestampSchema),
  /** Whether content of the export was deleted afterwards, so that it can no longer be downloaded. */
  outdated: z.boolean(),
})

export type AccountExport = z.infer<typeof exportSchema>

const exportsSchema = z.object({
  /** The caller's current export and its progress. Null if there is none. */
  export: z.nullable(exportSchema),
  /** The exports requested in the last year, newest first. */
  earlier: z.array(
    z.object({
      askedAt: fields.isoTimestampSchema,
      /** The client of the last download. Null if there was none. */
      downloadedWith: z.nullable(
        z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()) }),
      ),
    }),
  ),
})

export type AccountExports = z.infer<typeof exportsSchema>

export const getExportOperation = defineOperation({
  name: 'getExport',
  method: 'GET',
  path: '/me/export',
  allowsClosing: true,
  input: z.object({}),
  output: exportsSchema,
  limit: 'read',
})

/**
 * Requests an export, which replaces the previous one, or resumes a failed one. A member can have one export at a time
 * and request two a day.
 */
export const requestExportOperation = defineOperation({
  name: 'requestExport',
  method: 'POST',
  path: '/me/export',
  allowsClosing: true,
  input: z.object({}),
  output: exportsSchema,
  errors: ['export_under_way', 'export_too_soon'],
  limit: 'write',
})

/** Discards the caller's export or stops gathering it. Idempotent. */
export const discardExportOperation = defineOperation({
  name: 'discardExport',
  method: 'DELETE',
  path: '/me/export',
  status: 204,
  allowsClosing: true,
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})

/**
 * Returns the download link. Its key works only in this session while the export exists. Needs re-authentication, but
 * the download itself does not.
 */
export const createExportDownloadLinkOperation = defineOperation({
  name: 'createExportDownloadLink',
  method: 'POST',
  path: '/me/export/key',
  allowsClosing: true,
  input: z.object({}),
  output: z.object({ path: z.string() }),
  errors: ['user_challenge_required', 'export_not_found', 'export_outdated'],
  limit: 'write',
})

/** Downloads the archive or any range of it. */
export const downloadExportOperation = defineOperation({
  name: 'downloadExport',
  method: 'GET',
  path: '/me/export/:exportId/archive',
  allowsClosing: true,
  input: z.object({ exportId: fields.publicIdSchema, key: z.string().check(maxTextLength(128)) }),
  output: z.void(),
  errors: ['export_not_found', 'export_outdated', 'storage_invalid_range'],
  limit: 'archive',
  responseBody: 'archive',
})
