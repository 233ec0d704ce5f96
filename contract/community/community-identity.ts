import * as z from 'zod/mini'
import * as fields from '../field-schemas.ts'
import { defineOperation } from '../operation.ts'
import { maxTextLength } from '../text-length.ts'
import { accentNames } from './community-limits.ts'

export const accentSchema = z.enum(accentNames)

/** Part of the logo's URL, which changes with the picture. */
export const logoVersionSchema = z.string().check(maxTextLength(16), z.regex(/^[0-9a-f]{16}$/))

const identitySchema = z.object({
  accent: z.nullable(accentSchema),
  logo: z.nullable(logoVersionSchema),
  announcement: z.string(),
  announcedAt: z.nullable(fields.isoTimestampSchema),
})
export type CommunityIdentitySettings = z.infer<typeof identitySchema>

export const getCommunityIdentityOperation = defineOperation({
  name: 'getCommunityIdentity',
  method: 'GET',
  path: '/community/identity',
  who: 'operator',
  input: z.object({}),
  output: identitySchema,
  limit: 'read',
})

/** A new announcement is shown until the member dismisses it. */
export const updateCommunityIdentityOperation = defineOperation({
  name: 'updateCommunityIdentity',
  method: 'PATCH',
  path: '/community/identity',
  who: 'operator',
  input: z.partial(z.object({ accent: z.nullable(accentSchema), announcement: fields.announcementSchema })),
  output: identitySchema,
  limit: 'write',
})

/** Crops an unused upload to a square, and deletes the upload. */
export const setCommunityLogoOperation = defineOperation({
  name: 'setCommunityLogo',
  method: 'PUT',
  path: '/community/logo',
  who: 'operator',
  input: z.object({ fileId: fields.publicIdSchema }),
  output: identitySchema,
  errors: ['storage_file_not_found', 'storage_file_in_use'],
  limit: 'write',
})

export const removeCommunityLogoOperation = defineOperation({
  name: 'removeCommunityLogo',
  method: 'DELETE',
  path: '/community/logo',
  who: 'operator',
  input: z.object({}),
  output: identitySchema,
  limit: 'write',
})

/** PNG of 192 or 512 pixels. Earlier versions return 404. */
export const getCommunityLogoOperation = defineOperation({
  name: 'getCommunityLogo',
  method: 'GET',
  path: '/community/logo/:version',
  who: 'visitor',
  input: z.object({ version: logoVersionSchema, size: z.optional(z.enum(['192', '512'])) }),
  output: z.void(),
  errors: ['storage_file_not_found'],
  limit: 'image',
  responseBody: 'image',
})

/** Dismissing an old version changes nothing. */
export const dismissAnnouncementOperation = defineOperation({
  name: 'dismissAnnouncement',
  method: 'PUT',
  path: '/me/announcement',
  status: 204,
  input: z.object({ version: z.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)) }),
  output: z.void(),
  limit: 'write',
})
