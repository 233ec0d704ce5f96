// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
/** Files, the store, the database, the network and settings. */
import type { PlantedFault } from '../planted-fault.ts'

const blockedOrClosed = 'tests/security/block-looks-like-closed-account.test.ts'
const comments = 'server/features/comments/comments.test.ts'
const rateLimits = 'server/http/rate-limits.test.ts'
const sanitize = 'server/images/sanitize-image.test.ts'
const accountEvents = 'server/appwrite/realtime/account-events.test.ts'
const unstarted = 'server/features/chat/unstarted-conversations.test.ts'
const store = 'server/store/store.test.ts'
const erasing = 'server/features/deletion/erase-account.test.ts'

export const platformFaults: PlantedFault[] = [
  {
    name: 'a blocked member’s deletions are sent live',
    file: 'server/realtime/fan-out.ts',
    find: 'and ${mayLearnOfDeletion(sql<number>`subscriber.id`, sql`${change.collection}`, state)} and not',
    replace: 'and ${state} is not null and not',
    red: [
      blockedOrClosed,
      'iria’s sockets receive one equal deletion for both members, and nothing else of the blocking member',
    ],
  },
  {
    name: 'a blocked member’s deletions are sent when catching up',
    file: 'server/realtime/catch-up.ts',
    find: "case c.kind when 'delete' then ${mayLearnOfDeletion(asMe, sql.ref('c.collection'), sql.ref('c.state'))}",
    replace:
      "case c.kind when 'delete' then ${mayLearnOfDeletion(memberKeyParameter(0), sql.ref('c.collection'), sql.ref('c.state'))}",
    red: [
      blockedOrClosed,
      'iria’s sockets receive one equal deletion for both members, and nothing else of the blocking member',
    ],
  },
  {
    name: 'a refused post uses up the daily limit',
    file: 'server/http/rate-limits.ts',
    find: 'for (const { counter } of counters.get(limit) ?? []) await counter.reward(keyOf(request, limit))',
    replace:
      'for (const { counter } of counters.get(limit)?.slice(0, 1) ?? []) await counter.reward(keyOf(request, limit))',
    red: [
      rateLimits,
      'a refused post counts as a write, and does not count towards the hourly and daily limits',
    ],
  },
  {
    name: 'a refused post gives back more than it cost',
    file: 'server/http/rate-limits.ts',
    find: 'await counter.reward(keyOf(request, limit))',
    replace: 'await counter.reward(keyOf(request, limit), 2)',
    red: [
      rateLimits,
      'a refused post counts as a write, and does not count towards the hourly and daily limits',
    ],
  },
  {
    name: 'a refused post costs nothing',
    file: 'server/http/rate-limits.ts',
    find: "          await consume(request, reply, 'write')\n",
    replace: '',
    red: [rateLimits, 'ana can send many invalid posts before a valid post'],
  },
  {
    name: 'all requests from a trusted proxy range count as one address',
    file: 'server/http/connection-limit.ts',
    find: 'isProxy(ip, 0)',
    replace: 'config.trustedProxies.includes(ip)',
    red: ['server/http/connection-limit.test.ts', 'holds any number'],
  },
  {
    name: 'a statement with a stale plan is not prepared again',
    file: 'server/database/prepared-statements.ts',
    find: 'if (isAlone) return send',
    replace: 'if (isAlone && text === name) return send',
    red: ['server/database/open-database.test.ts', 'is prepared again on every connection without an error'],
  },
  {
    name: 'a transaction that failed on a stale plan is not retried',
    file: 'server/database/prepared-statements.ts',
    find: '          error.code = SERIALIZATION_FAILURE\n',
    replace: '',
    red: [
      'server/database/open-database.test.ts',
      'an outdated statement inside a transaction ends the transaction, and the store repeats the transaction',
    ],
  },
  {
    name: 'the server starts with an invalid alias',
    file: 'server/config.ts',
    find: '.filter((id) => !isValidPublicId(id))',
    replace: ".filter((id) => id === '')",
    red: ['server/config.test.ts', 'the server does not start with the settings'],
  },
  {
    name: 'every host name that ends in localhost is this machine',
    file: 'server/loopback-name.ts',
    find: '((.+\\.)?localhost|',
    replace: '(.*localhost|',
    red: ['server/config.test.ts', 'the server does not start with the settings'],
  },
  {
    name: 'metrics are open to every host name that ends in localhost',
    file: 'server/loopback-name.ts',
    find: '((.+\\.)?localhost|',
    replace: '(.*localhost|',
    red: ['server/ops/metrics.test.ts', 'remote or proxied requests for metrics need the token'],
  },
  {
    name: 'a picture of exactly fifty megapixels is refused',
    file: 'server/images/image-errors.ts',
    find: 'width * height > uploadMaxPixels',
    replace: 'width * height >= uploadMaxPixels',
    red: [sanitize, 'within fifty megapixels and 12,000 per side'],
  },
  {
    name: 'a picture with a side of exactly 12,000 pixels is refused',
    file: 'server/images/image-errors.ts',
    find: 'width > uploadMaxSidePx || height > uploadMaxSidePx',
    replace: 'width >= uploadMaxSidePx || height >= uploadMaxSidePx',
    red: [sanitize, 'within fifty megapixels and 12,000 per side'],
  },
  {
    name: 'the last of two EXIF segments sets the orientation',
    file: 'server/images/sanitize-jpeg.ts',
    find: 'exif ??= body',
    replace: 'exif = body',
    red: [sanitize, 'of two EXIF segments only the orientation of the first'],
  },
  {
    name: 'the last of two eXIf chunks sets the orientation',
    file: 'server/images/sanitize-png.ts',
    find: "type === 'eXIf' && !seen.has(type)",
    replace: "type === 'eXIf'",
    red: [sanitize, 'of two eXIf chunks'],
  },
  {
    name: 'two profiles of a PNG are kept',
    file: 'server/images/sanitize-png.ts',
    find: '  if (seen.has(type)) return false\n',
    replace: '',
    red: [sanitize, 'of two eXIf chunks'],
  },
  {
    name: 'the first of two Adobe segments sets the colours',
    file: 'server/images/sanitize-jpeg.ts',
    find: 'adobe = body',
    replace: 'adobe ??= body',
    red: [sanitize, 'of two Adobe segments the last'],
  },
  {
    name: 'a refused session check clears the cookie of a later sign-in',
    file: 'server/http/error-responses.ts',
    find: "  if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter)",
    replace: "  if (failure.status === 401) reply.clearCookie('a_session_juntas', { path: '/' })",
    red: [
      'server/features/account/sign-up-and-sessions.test.ts',
      'checking an ended session does not clear the cookie of a newer sign-in',
    ],
  },
  {
    name: 'the other participant is notified when a member presses Chat',
    file: 'server/store/collection-definitions.ts',
    find: 'then ${arrayOfActor(actor)}',
    replace: 'then ${memberArray(conversation.low_id, conversation.high_id)}',
    red: [
      unstarted,
      'RT-06 CHAT-31 PERM-06 a conversation without messages appears in no list, count or event of the other participant',
    ],
  },
  {
    name: 'the first message does not announce its conversation',
    file: 'server/store/change-log-writer.ts',
    find: "const recipients = {\n    members: sql.ref<number[] | null>('recorded.memberIds'),\n    group: sql.ref('recorded.groupId'),\n  }",
    replace: 'const recipients = { members: sql<number[]>`array[]::bigint[]` }',
    red: [
      unstarted,
      'RT-06 CHAT-31 PERM-06 a conversation without messages appears in no list, count or event of the other participant',
    ],
  },
  {
    name: 'a file that a post releases is announced twice',
    file: 'server/files/stored-files.ts',
    find: "if (before.state === 'ready') await",
    replace: 'await',
    red: [accountEvents, "a public post's photo causes events for its author only, including its deletion"],
  },
  {
    name: 'only one batch of a large group’s posts is removed',
    file: 'server/store/store.ts',
    find: 'removed = rows[0]?.count ?? 0',
    replace: 'removed = Math.min(rows[0]?.count ?? 0, 0)',
    red: [store, 'removing more than a thousand posts removes every post and its picture'],
  },
  {
    name: 'the pictures of removed posts stay attached',
    file: 'server/store/store.ts',
    find: "where files.id = shown.id and files.state = 'attached'",
    replace: "where files.id = shown.id and files.state = 'ready'",
    red: [store, 'removing more than a thousand posts removes every post and its picture'],
  },
  {
    name: 'the photos after the first of a removed post stay attached',
    file: 'server/store/store.ts',
    find: 'row.photo_count && row.photo_count > 1 ? await',
    replace: 'row.photo_count && row.photo_count > 10 ? await',
    red: [
      'server/features/posts/post-photos.test.ts',
      "deleting a post deletes all its photos, and the author's client receives each deletion",
    ],
  },
  {
    name: 'a member who loses access to many rows is notified of the oldest ones',
    file: 'server/store/change-log-writer.ts',
    find: 'where ${which} order by t.created_at desc, t.id desc limit ${atMost}',
    replace: 'where ${which} order by t.created_at, t.id limit ${atMost}',
    red: [
      store,
      'a member who leaves a group receives deletions of the hundred newest posts that her screen can show',
    ],
  },
  {
    name: 'a transaction is not retried after a deadlock',
    file: 'server/store/store.ts',
    find: "const retryableCodes = new Set(['40001', '40P01'])",
    replace: "const retryableCodes = new Set(['40001'])",
    red: [store, 'two transactions in a deadlock both finish, because the aborted transaction retries'],
  },
  {
    name: 'a change of the transaction at the boundary is sent twice',
    file: 'server/realtime/outbox-delivery.ts',
    find: 'if (change.xid < xid) dispatched.delete(id)',
    replace: 'if (change.xid <= xid) dispatched.delete(id)',
    red: [
      'server/realtime/outbox-delivery.test.ts',
      'a change at the transaction boundary is sent once, although the outbox returns the change again',
    ],
  },
  {
    name: 'a username differs from another by an accent or a dot alone',
    file: 'server/database/migrations/0005-people.sql',
    find: 'new.username_skeleton := username_skeleton(new.username);',
    replace: 'new.username_skeleton := skeleton(new.username);',
    red: ['server/features/account/look-alike-usernames.test.ts', 'carmen28 is taken'],
  },
  {
    name: 'a member is called JuntasApp',
    file: 'server/database/migrations/0002-text.sql',
    find: "or position('juntas' in letters) > 0",
    replace: '',
    red: ['server/features/account/look-alike-usernames.test.ts', 'no member can be named xXJuntasXx'],
  },
  {
    name: 'a small picture waits for an expensive one',
    file: 'server/images/image-processor.ts',
    find: "const isSmall = job.kind === 'ingest' &&",
    replace: "const isSmall = job.kind === 'resize' &&",
    red: ['server/images/image-processor.test.ts', 'small picture does not wait for ana'],
  },
  {
    name: 'an expensive picture is made among the ordinary ones',
    file: 'server/images/image-processor.ts',
    find: 'const expensiveDecodeBytes = 80e6',
    replace: 'const expensiveDecodeBytes = 80e9',
    red: [
      'server/images/image-processor.test.ts',
      "bea's photo does not wait for ana's running and queued expensive pictures",
    ],
  },
  {
    name: 'a like is sent live across a block',
    file: 'server/realtime/fan-out.ts',
    find: "if (change.kind === 'update' && change.state !== null)",
    replace: 'if (change.state === undefined)',
    red: [
      blockedOrClosed,
      'live counts do not tell nora that a member who blocked her likes a post or joins a group',
    ],
  },
  {
    name: 'a like is sent across a block when catching up',
    file: 'server/realtime/catch-up.ts',
    find: "when 'update' then ${mayLearnOfUpdate(asMe, sql.ref('c.state'))}",
    replace: '',
    red: [
      blockedOrClosed,
      'live counts do not tell nora that a member who blocked her likes a post or joins a group',
    ],
  },
  {
    name: 'strings in a body are matched by a pattern that restarts at each quote',
    file: 'server/http/json-body.ts',
    find: '  let keys = 0\n  let inString = false\n',
    replace:
      '  let keys = 0\n  let inString = false\n  for (const [token] of text.matchAll(/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|:/g)) if (token === ":::") keys += 1\n',
    red: [
      'server/http/json-body.test.ts',
      'D04 D08 a body with unterminated strings is refused at once, however many quotes it has',
    ],
  },
  {
    name: 'bodies that are sent to no route are parsed',
    file: 'server/http/static-web.ts',
    find: 'if (!request.is404 || isRead(request)) return',
    replace: 'if (!request.is404 || isRead(request) || request.url !== "") return',
    red: ['server/http/json-body.test.ts', 'the body of a request to an unknown route is not parsed'],
  },
  {
    name: 'checking the dots of an address takes quadratic time',
    file: 'contract/screen-routes.ts',
    find: "path.includes('.', path.lastIndexOf('/'))",
    replace: '/\\.[^/]*$/.test(path)',
    red: [
      'contract/screen-routes.test.ts',
      'a path with hundreds of thousands of dots is recognized as a page without delay',
    ],
  },
  {
    name: 'the page of a place with a dot in its name is served as a file',
    file: 'contract/screen-routes.ts',
    find: '  return anyScreen.test(path)\n',
    replace: '  return anyScreen.test(path) && false\n',
    red: ['contract/screen-routes.test.ts', '/places/St.%20Gallen is a page'],
  },
  {
    name: 'a username is normalised before its length is checked',
    file: 'contract/field-schemas.ts',
    find: '    coarseMaxLengthCheck(limits.usernameLengthLimits.max, tooLongUsername),\n',
    replace: '',
    red: ['contract/field-schemas.test.ts', 'with 240,000 combining marks is refused before normalisation'],
  },
  {
    name: 'large bodies of an account are parsed without a pause',
    file: 'server/http/json-body.ts',
    find: '      await nextTurn()\n',
    replace: '',
    red: [
      'server/http/json-body.test.ts',
      'D08 large bodies of an account are parsed one at a time, with other requests in between',
    ],
  },
  {
    name: 'the concurrent requests of an account are unlimited',
    file: 'server/http/caller-concurrency.ts',
    find: 'concurrency: 4, waiting: 100',
    replace: 'concurrency: 100, waiting: 4',
    red: ['server/http/caller-concurrency.test.ts', "thirty of mallory's requests wait for the database"],
  },
  {
    name: 'the picture of a reported post keeps its id after deletion',
    file: 'server/files/evidence-hold.ts',
    find: 'update files set public_id = storage_key',
    replace: 'update files set public_id = public_id',
    red: [
      'server/features/moderation/reports.test.ts',
      'a deleted picture does not reveal whether it was reported',
    ],
  },
  {
    name: 'the sweep deletes a picture that is evidence',
    file: 'server/files/file-cleanup.ts',
    find: " and ${whereNotHeldAsEvidence(sql.ref('files.id'))} order by updated_at",
    replace: ' order by updated_at',
    red: [
      'server/features/moderation/evidence-retention.test.ts',
      'REP-06 REP-07 REP-08 REP-11 REP-12 REP-14 MOD-03 MOD-10 MOD-15 MOD-16 MOD-20 a moderator decides from the evidence a week after the post, its author and its picture were deleted',
    ],
  },
  {
    name: 'the text of a deleted comment stays in the change log',
    file: 'server/store/change-log-writer.ts',
    find: 'definition.remains?.(columnExpressionsOf(alias)) ?? sql`to_jsonb(${sql.ref(alias)})`',
    replace: 'sql`to_jsonb(${sql.ref(alias)})`',
    red: [
      comments,
      'CMT-15 deleting a post deletes its comments and likes, and the change log keeps none of their text',
    ],
  },
  {
    name: 'backups omit the rows of pictures that are evidence',
    file: 'server/backup/copy-tables.ts',
    find: "name === 'files' ? ` where ${await buildBackupPictureCondition(db)}` : ''",
    replace: "name === 'files' ? ` where state = 'attached'` : ''",
    red: [
      erasing,
      'DEL-14 restoring an earlier backup erases deleted members again and leaves other accounts in their state',
    ],
  },
]
