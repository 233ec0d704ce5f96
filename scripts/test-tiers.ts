/**
 * Which tests run when. `npm test` runs the default tier; `npm test -- --all` runs everything; `npm test -- --external` runs what
 * another PostgreSQL or Redis can change.
 */
import { matchesGlob } from 'node:path'

/** Marks, at the end of a title, the journeys of the default tier: about one for each screen and flow. */
export const defaultJourneyTag = '@quick'

/** Files of server and unit tests that only `--all` runs: races, floods, kills, fuzz, large files, attacks and clusters. */
export const longTestFiles = [
  'scripts/backup-restore-and-doctor.test.ts',
  'server/**/*race{,s}.test.ts',
  'server/features/data-export/{account-export,zip-format}.test.ts',
  'server/appwrite/app-without-appwrite.test.ts',
  'server/appwrite/account/{account-takeover,rate-limits,mfa,oauth2}.test.ts',
  'server/appwrite/documents/legacy-client.test.ts',
  'server/appwrite/realtime/{attacks,permission}.test.ts',
  'server/appwrite/storage/{large-upload,resumable-upload,preview-*,upload-*}.test.ts',
  'server/backup/**',
  'server/blobs/**',
  'server/concurrency/expensive-list-query-limiter.test.ts',
  'server/database/{embedded-postgres,squashed-migrations,lost-access-migration}.test.ts',
  'server/features/deletion/erase-account.test.ts',
  'server/features/posts/like-on-busy-post.test.ts',
  'server/files/image-*.test.ts',
  'server/http/{rate-limits,request-timeouts}.test.ts',
  'server/images/decode-cost.test.ts',
  'server/main.test.ts',
  'server/features/account/approve-waiting-followers.test.ts',
  'server/features/notifications/kinds-and-states.test.ts',
  'server/features/notifications/push/push.test.ts',
  'tests/appwrite/**',
  'tests/cluster/**',
  'tests/durability/**',
  'tests/fuzz/**',
  'tests/security/*.test.ts',
]

/**
 * Files whose verdict depends on the database server or on Redis: statements of every operation (the matrix), locks, counters,
 * live updates and what several nodes share.
 */
export const externalTestFiles = [
  'server/backup/',
  'server/database/',
  'server/features/deletion/erase-account',
  'server/http/rate-limit',
  'server/realtime/',
  'server/store/',
  'server/features/posts/trending/',
  'tests/cluster/',
  'tests/fuzz/model',
  'tests/security/authorization/matrix',
  'tests/security/post-lists-equal-the-access-rule',
  'race',
]

/** Files below `externalTestFiles` that have a server of their own. */
export const internalTestFiles = [
  'server/database/embedded-postgres.test.ts',
  'tests/cluster/rolling-restart.test.ts',
]

/** @param title of a journey; the tier of other tests follows from their file */
export function isInDefaultTier(file: string, title: string): boolean {
  if (file.endsWith('.spec.ts')) return title.includes(defaultJourneyTag)
  return !longTestFiles.some((pattern) => matchesGlob(file, pattern))
}
