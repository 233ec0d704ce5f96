/**
 * Which tests run when. `npm test` runs the default tier; `npm test -- --all` runs everything; `npm test -- --external` runs what
 * another PostgreSQL or Redis can change.
 */
import { matchesGlob } from 'node:path'

/** Marks, at the end of a title, the journeys of the default tier: about one for each screen and flow. */
export const defaultJourneyTag = '@quick'

/** Files of server and unit tests that only `--all` runs. */
export const longTestFiles = [
  'scripts/backup-restore-and-doctor.test.ts',
  'server/appwrite/storage/large-upload.test.ts',
  'server/appwrite/storage/upload-crash.test.ts',
  'server/database/embedded-postgres.test.ts',
  'tests/cluster/rolling-restart.test.ts',
  'tests/durability/**',
  'tests/fuzz/http-fuzz.test.ts',
  'tests/security/request-floods.test.ts',
]

/** Files whose verdict depends on the database server or on Redis. */
export const externalTestFiles = ['server/', 'tests/cluster', 'tests/security']

/** Files below `externalTestFiles` that have a server of their own or ask none. */
export const internalTestFiles = [
  'server/database/embedded-postgres.test.ts',
  'server/main.test.ts',
  'server/appwrite/storage/{large-upload,upload-crash}.test.ts',
  'server/appwrite/storage/{resumable-upload,preview-*}.test.ts',
  'server/appwrite/avatars/**',
  'server/images/**',
  'server/files/image-*.test.ts',
  'server/drawing/**',
  'server/account-export/**',
  'server/messaging/**',
  'server/push/**',
  'server/net/**',
  'server/blobs/**',
  'server/config.test.ts',
  'server/auth/password-hash.test.ts',
  'server/appwrite/{user-agent,queries/parse-queries}.test.ts',
  'server/appwrite/realtime/{subscription-filters,frames,subscriptions}.test.ts',
  'server/concurrency/{coalesce,keyed-batch-queue,single-flight}.test.ts',
  'server/http/{connection-limit,cors,unread-response-limit}.test.ts',
  'tests/security/headers.test.ts',
  'tests/cluster/rolling-restart.test.ts',
]

/** @param title of a journey; the tier of other tests follows from their file */
export function isInDefaultTier(file: string, title: string): boolean {
  if (file.endsWith('.spec.ts')) return title.includes(defaultJourneyTag)
  return !longTestFiles.some((pattern) => matchesGlob(file, pattern))
}
