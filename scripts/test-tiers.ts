/**
 * `npm test` runs the default tier, `-- --all` everything, and `-- --external` the tests that another PostgreSQL or
 * Redis can affect.
 */
import { matchesGlob } from 'node:path'

/** The tag of about one journey for each screen and flow. */
export const defaultJourneyTag = '@quick'

/** Files of slow or rare cases, such as races, kills, fuzzing, large files and attacks. */
export const longTestFiles = [
  'bench/**',
  'scripts/{backup-restore-and-doctor,build-server,operator-command,seed}.test.ts',
  'server/**/*{race,races,at-scale}.test.ts',
  'server/appwrite/app-without-appwrite.test.ts',
  'server/appwrite/user-agent.test.ts',
  'server/appwrite/account/{account-takeover,email-urls,mfa,oauth2,rate-limits,recovery,tokens}.test.ts',
  'server/appwrite/avatars/{icons,qr-codes,remote-image-routes}.test.ts',
  'server/appwrite/documents/{legacy-client,related-documents}.test.ts',
  'server/appwrite/realtime/{account-events,attacks,permission}.test.ts',
  'server/appwrite/storage/{large-upload,resumable-upload,preview-*,upload-*}.test.ts',
  'server/backup/**',
  'server/blobs/**',
  'server/concurrency/expensive-list-query-limiter.test.ts',
  'server/database/{embedded-postgres,squashed-migrations,lost-access-migration}.test.ts',
  'server/email/{email-queue,email-sender}.test.ts',
  'server/features/account/{account-message-limits,approve-waiting-followers,unverified-new-addresses}.test.ts',
  'server/features/account/{look-alike-usernames,second-factors-added-by-attackers,typed-codes}.test.ts',
  'server/features/chat/{message-search,strangers-messages,unstarted-conversations}.test.ts',
  'server/features/comments/comment-removal.test.ts',
  'server/features/community/operator-first-steps.test.ts',
  'server/features/data-export/{account-export,zip-format}.test.ts',
  'server/features/deletion/{deletion-email-limits,erase-account,newer-accounts-after-erasure}.test.ts',
  'server/features/groups/{group-deletion,group-succession,group-successors}.test.ts',
  'server/features/moderation/{appeals,group-queue,hidden-posts,moderation-notifications}.test.ts',
  'server/features/moderation/suspending-moderators.test.ts',
  'server/features/moderation/report*-*.test.ts',
  'server/features/notifications/{comment-notifications,kinds-and-states,write-notifications}.test.ts',
  'server/features/notifications/push/push.test.ts',
  'server/features/people/private-accounts-realtime.test.ts',
  'server/features/photo-tags/withheld-photos.test.ts',
  'server/features/posts/{audience-preview,like-on-busy-post,post-picture-replacement,posts-of-leaving-members}.test.ts',
  'server/features/posts/trending/**',
  'server/http/{rate-limits,request-timeouts}.test.ts',
  'server/images/{decode-cost,image-*}.test.ts',
  'server/main.test.ts',
  'server/net/{safe-fetch,country-lookup}.test.ts',
  'server/realtime/typing-relay.test.ts',
  'tests/appwrite/**',
  'tests/cluster/**',
  'tests/durability/**',
  'tests/fuzz/**',
  'tests/security/*.test.ts',
  'tests/security/authorization/removed-member-access.test.ts',
  'web/features/chat/search/**',
  'web/features/notifications/push/*.component.test.tsx',
  'web/features/offline/**/*.component.test.tsx',
  'web/features/posts/form/photos/*.component.test.tsx',
]

/** Files that another PostgreSQL or Redis can affect. */
export const externalTestFiles = [
  'server/backup/',
  'server/database/',
  'server/features/deletion/erase-account',
  'server/http/rate-limit',
  'server/realtime/',
  'server/files/stored-files',
  'server/store/',
  'server/features/posts/trending/',
  'tests/cluster/',
  'tests/fuzz/model',
  'tests/security/authorization/matrix',
  'tests/security/post-lists-equal-the-access-rule',
  'race',
]

export const internalTestFiles = [
  'server/database/embedded-postgres.test.ts',
  'tests/cluster/rolling-restart.test.ts',
]

/** @param title of a journey; the tier of any other test depends only on its file */
export function isInDefaultTier(file: string, title: string): boolean {
  if (file.endsWith('.spec.ts')) return title.includes(defaultJourneyTag)
  return !longTestFiles.some((pattern) => matchesGlob(file, pattern))
}
