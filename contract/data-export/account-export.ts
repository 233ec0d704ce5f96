/** An export is gathered once and streamed as a zip archive, which is never stored whole. */
import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { exportSteps } from './export-steps.ts'

const exportSchema = z.object({
  $id: fields.publicIdSchema,
  state: z.enum(['gathering', 'ready', 'failed']),
  askedAt: fields.isoTimestampSchema,
  step: z.nullable(z.enum(exportSteps)),
  photosRead: z.number(),
  photos: z.number(),
  secondsLeft: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  diesAt: z.nullable(fields.isoTimestampSchema),
  /** True if content was deleted after the export was made. It can then no longer be downloaded. */
  outdated: z.boolean(),
})

export type AccountExport = z.infer<typeof exportSchema>

const exportsSchema = z.object({
  export: z.nullable(exportSchema),
  /** The exports of the last year, newest first. */
  earlier: z.array(
    z.object({
      askedAt: fields.isoTimestampSchema,
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

/** Replaces the previous export, or resumes a failed one. */
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

/** Discards the export, even while it is being gathered. */
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
 * The link works only in this session, while the export exists. Creating it requires re-authentication, by code if
 * two-factor authentication is on; the download does not.
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

/** The download supports ranges. */
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
