/** Data exports: gathered once, then downloaded as one zip archive that is never stored whole. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { exportSteps } from './export-steps.ts'

const exportSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['gathering', 'ready', 'failed']),
  askedAt: fields.isoTimestampSchema,
  /** The step in progress; null once ready. */
  step: z.nullable(z.enum(exportSteps)),
  /** Photos read so far, and their total. */
  photosRead: z.number(),
  photos: z.number(),
  /** Estimate while gathering. */
  secondsLeft: z.nullable(z.number()),
  /** Archive size and expiry, once ready. */
  bytes: z.nullable(z.number()),
  diesAt: z.nullable(fields.isoTimestampSchema),
  /** Something in the export was deleted afterwards, so it can no longer be downloaded whole. */
  outdated: z.boolean(),
})

export type AccountExport = z.infer<typeof exportSchema>

const exportsSchema = z.object({
  /** The caller's current export and its progress; null if none exists. */
  export: z.nullable(exportSchema),
  /** Exports requested within the last year, newest first. */
  earlier: z.array(
    z.object({
      askedAt: fields.isoTimestampSchema,
      /** The client of the last download; null before the first. */
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

/** Requests an export, replacing the previous one, or resumes a failed one. One at a time, two a day. */
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
 * Returns the download link. Its key works only in this session while the export exists. Needs
 * re-authentication; the download itself does not.
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
