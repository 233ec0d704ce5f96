/** A refused attempt must change nothing. Every operation and Appwrite write belongs to a row. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { collectionNames } from '#contract/collection-names.ts'
import { apiOperations } from '#contract/index.ts'
import { listCasesOperation } from '#contract/moderation/cases.ts'
import {
  groupPermissionRowIds,
  type PermissionMatrixColumn,
  type PermissionMatrixOutcome,
  type PermissionMatrixRowId,
  permissionMatrix,
  permissionMatrixColumns,
} from '#scripts/docs/permission-matrix.ts'
import { createJpeg, createPng } from '#scripts/harness/image-fixtures.ts'
import { accessRules } from '#server/policy/index.ts'
import { type FakeInternet, startFakeInternet } from '#tests/doubles/fake-internet.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import type { AccessAttempt } from './access-attempt.ts'
import { createPermissionMatrixActors, type PermissionMatrixActors, selectMatrixRowActors } from './actors.ts'
import { blockAccessAttempts } from './blocks.ts'
import { chatAccessAttempts, unsendAccessAttempts } from './chat.ts'
import { commentAccessAttempts } from './comments.ts'
import { fileAccessAttempts } from './files.ts'
import { groupAccessAttempts } from './groups.ts'
import { messageRequestAttempts } from './message-requests-and-restrictions.ts'
import { moderatedContentAccessAttempts } from './moderated-content.ts'
import { muteAccessAttempts } from './mutes.ts'
import { notificationAccessAttempts } from './notifications.ts'
import { memberAccessAttempts } from './people.ts'
import { photoTagAccessAttempts } from './photo-tags.ts'
import { postAccessAttempts } from './posts.ts'
import { privateAccountAttempts } from './private-accounts.ts'
import { realtimeAccessAttempts } from './realtime.ts'
import { reportAccessAttempts } from './reports.ts'

const asked = [
  ...memberAccessAttempts,
  ...postAccessAttempts,
  ...commentAccessAttempts,
  ...chatAccessAttempts,
  ...groupAccessAttempts,
  ...fileAccessAttempts,
  ...privateAccountAttempts,
  ...muteAccessAttempts,
  ...notificationAccessAttempts,
  ...messageRequestAttempts,
  ...blockAccessAttempts,
  ...reportAccessAttempts,
  ...moderatedContentAccessAttempts,
  ...photoTagAccessAttempts,
  ...unsendAccessAttempts,
]
const attempts = [
  ...asked.filter(({ writes }) => !writes),
  ...asked.filter(({ writes }) => writes),
  ...realtimeAccessAttempts,
]

let net: FakeInternet
let w: TestWorld
let cast: PermissionMatrixActors
const reached = new Set<string>()
const answers = new Map<AccessAttempt, number>()
const strangersAndModerators = new Map<AccessAttempt, Record<'S' | 'N', PermissionMatrixOutcome[]>>()

beforeAll(async () => {
  net = await startFakeInternet()
  const [red, icon] = [await createJpeg(), await createPng('#1e50c8', 32, 32)]
  net.serve('/red.jpg', (_, response) => response.setHeader('content-type', 'image/jpeg').end(red))
  net.serve('/icon.png', (_, response) => response.setHeader('content-type', 'image/png').end(icon))
  net.serve('/page', (_, response) =>
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="/icon.png">'),
  )
  w = await createTestWorld({}, net.reach)
  w.app.addHook('onResponse', async ({ method, routeOptions, params }) => {
    const { collection } = params as { collection?: string }
    reached.add([method, routeOptions.url, ...(collection ? [collection] : [])].join(' '))
  })
  cast = await createPermissionMatrixActors(w, (path) => net.at('site.test', path))
  reached.clear()
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
  await net.end()
})

/** An exception for a stranger also applies to a moderator. */
function cellOf(
  { row, except, worded, only }: AccessAttempt,
  column: PermissionMatrixColumn,
): PermissionMatrixOutcome {
  const cell: PermissionMatrixOutcome = permissionMatrix[row].cells[column]
  const as = column === 'N' ? 'S' : column
  if (cell === '-' || (only && !only.includes(as))) return '-'
  return except?.[as] ?? worded?.[cell] ?? cell
}

/** Reads the stored data, without notifications, which the server writes later. */
async function trace(): Promise<unknown> {
  const tables = [
    ...[...Object.keys(accessRules), 'file_chunks', 'changes', 'notification_preferences'],
    ...['block_pairs', 'mutes', 'restrictions', 'evidence', 'appeals', 'suspensions', 'moderation_log'],
  ]
  const { rows } = await w.database.pool.query(
    tables
      .map(
        (table) =>
          `select '${table}' as name, md5(string_agg(t::text, ' ' order by t::text)) as rows from ${table} t${table === 'changes' ? ` where collection <> 'notifications'` : ''}`,
      )
      .join(' union all '),
  )
  return rows
}

const isAllowed = (cell: PermissionMatrixOutcome) => cell === 'ok'

test.each(
  attempts.map(
    (attempt) =>
      [
        `${attempt.row} ${permissionMatrix[attempt.row].on}, ${permissionMatrix[attempt.row].does}: ${attempt.path}`,
        attempt,
      ] as const,
  ),
)('%s', async (_, attempt) => {
  const people = Object.entries(selectMatrixRowActors(cast, attempt.row)) as [
    PermissionMatrixColumn,
    MemberClient[],
  ][]
  const cells = people.flatMap(([column, everybody]) =>
    everybody.map((who) => ({ who, column, cell: cellOf(attempt, column) })),
  )
  const decided = cells.filter(({ cell }) => cell !== '-')
  const found: Record<string, PermissionMatrixOutcome> = {}
  const ask = async ({ who, column, cell }: (typeof decided)[number]) => {
    const succeeds = isAllowed(cell)
    const got = await attempt.act(who, { cast, column, succeeds })
    found[`${column} ${who.name}`] = cell === 'same' && got === 'ok' ? 'same' : got
  }
  const otherwise = () =>
    decided
      .map(({ who, column, cell }) => ({ name: `${column} ${who.name}`, cell }))
      .filter(({ name, cell }) => found[name] && found[name] !== cell)
      .map(({ name, cell }) => `[${name}: ${found[name]} instead of ${cell}]`)
      .join(' ')
  const before = attempt.writes ? await trace() : null
  await Promise.all(decided.filter(({ cell }) => !isAllowed(cell)).map(ask))
  if (attempt.writes) expect(await trace(), otherwise()).toEqual(before)
  for (const one of decided.filter(({ cell }) => isAllowed(cell))) await ask(one)
  expect(found, otherwise()).toEqual(
    Object.fromEntries(decided.map(({ who, column, cell }) => [`${column} ${who.name}`, cell])),
  )
  answers.set(attempt, decided.length)
  const cameTo = (wanted: PermissionMatrixColumn) =>
    decided.filter(({ column }) => column === wanted).map(({ who }) => found[`${wanted} ${who.name}`] ?? '-')
  strangersAndModerators.set(attempt, { S: cameTo('S'), N: cameTo('N') })
})

const decidedIn = (rows: readonly PermissionMatrixRowId[]) =>
  rows.reduce(
    (sum, row) => sum + Object.values(permissionMatrix[row].cells).filter((cell) => cell !== '-').length,
    0,
  )
const pathsOf = (rows: readonly PermissionMatrixRowId[]) => attempts.filter(({ row }) => rows.includes(row))
const cellsOf = (rows: readonly PermissionMatrixRowId[]) =>
  pathsOf(rows).reduce(
    (sum, attempt) =>
      sum +
      (Object.keys(permissionMatrixColumns) as PermissionMatrixColumn[]).filter(
        (column) => cellOf(attempt, column) !== '-',
      ).length,
    0,
  )
const all = Object.keys(permissionMatrix) as PermissionMatrixRowId[]
const describeRows = (rows: readonly PermissionMatrixRowId[]) =>
  `${rows.length} rows with ${decidedIn(rows)} cells, on ${pathsOf(rows).length} paths ${cellsOf(rows)} cells`

test(`every row of the matrix has paths, and all paths were requested: ${describeRows(all)}; of groups ${describeRows(groupPermissionRowIds)}`, () => {
  expect(all.filter((row) => pathsOf([row]).length === 0)).toEqual([])
  expect([...answers.keys()].length).toBe(attempts.length)
})

const pathsOfStrangers = attempts.filter((attempt) => cellOf(attempt, 'S') !== '-')
test(`MOD-04 a moderator, on duty or not, gets the same result as a stranger on each of ${pathsOfStrangers.length} paths`, async () => {
  const { nuria, nerea } = cast
  expect((await nuria.ask(listCasesOperation, { tab: 'open' })).status).toBe(200)
  expect((await nerea.ask(listCasesOperation, { tab: 'open' })).body).toMatchObject({
    type: 'moderation_password_required',
  })
  const walked = [...strangersAndModerators].filter(([, { S, N }]) => S.length + N.length > 0)
  expect(walked.map(([attempt]) => attempt)).toEqual(pathsOfStrangers)
  expect(walked.filter(([, { S, N }]) => N.length !== 2 || N.some((got) => got !== S[0]))).toEqual([])
})

test('the matrix contains every member operation and every write of the documents API', () => {
  // These operations concern only the caller: identity, sessions, and sign-up.
  const alone = [
    ...['getCurrentMember', 'signUp', 'signIn', 'completeSecondStep', 'getCurrentSession', 'signOut'],
    // These operations send a link by email, or a link from an email authorises them.
    ...['requestPasswordReset', 'resetPassword', 'confirmEmail', 'undoEmailChange', 'keepTwoFactor'],
    ...['requestSignInLink', 'signInByLink'],
    ...[
      'getAccountSettings',
      'reauthenticate',
      'setLanguage',
      'changePassword',
      'requestEmailChange',
      'cancelEmailChange',
    ],
    ...[
      'requestEmailConfirmation',
      'listDevices',
      'signOutDevice',
      'signOutOtherDevices',
      'listSecurityEvents',
    ],
    ...[
      'changeUsername',
      'listSignInProviders',
      'beginProviderSignIn',
      'connectIdentity',
      'disconnectIdentity',
    ],
    ...[
      'beginPasskeySignIn',
      'signInByPasskey',
      'beginPasskeyReauthentication',
      'reauthenticateByPasskey',
      'listSecondStepFactors',
      'completeSecondStepByPasskey',
      'listPasskeys',
      'beginPasskey',
      'addPasskey',
      'renamePasskey',
      'removePasskey',
      'removePassword',
    ],
    ...['beginAuthenticator', 'turnOnTwoFactor', 'turnOffTwoFactor', 'renewRecoveryCodes'],
    // The caller's own account: server/features/account/close-account.test.ts, server/features/deletion.
    'closeAccount',
    ...[
      'getDeletionPlan',
      'requestDeletion',
      'getDeletion',
      'keepAccount',
      'keepAccountByEmailLink',
      'eraseNow',
    ],
    ...['getReceipt', 'checkReceipt', 'getReceiptKeys'],
    // The caller's own data export: server/features/data-export.
    ...['getExport', 'requestExport', 'discardExport', 'createExportDownloadLink', 'downloadExport'],
    // The caller's own push settings: server/features/notifications/push.
    ...['getPushSubscription', 'getVapidPublicKey', 'subscribePush', 'unsubscribePush', 'sendTestPush'],
    ...['getNotificationDelivery', 'updateNotificationDelivery', 'unsubscribeFromSummaries'],
    // Moderators only: cases.test.ts.
    ...['unlockModeration', 'listCases', 'getCase', 'getEvidencePicture'],
    ...['claimCase', 'releaseCase', 'decideCase', 'confirmSuspension', 'declineSuspension', 'decideAppeal'],
    // Settings and house rules: server/features/community.
    ...['getCommunity', 'getCommunitySettings', 'updateCommunity', 'acceptHouseRules'],
    ...['checkSetupLink', 'setUpCommunity', 'dismissAnnouncement', 'getCommunityLogo'],
    ...['getCommunityIdentity', 'updateCommunityIdentity', 'setCommunityLogo', 'removeCommunityLogo'],
    // Operators, and the short record for members: server/features/admin.
    ...['listOperatorActs', 'listPublicOperatorActs', 'listAdminMembers', 'getAdminMember'],
    ...['listSuspensionProposals', 'confirmSuspensionProposal', 'declineSuspensionProposal'],
    ...['setModerator', 'suspendMember', 'endSuspension', 'createRecoveryLink', 'signMemberOut'],
    ...['getInstanceOverview', 'getInstanceStorage', 'getInstanceQueues', 'examineInstance'],
    ...['listUndeliveredEmails', 'retryEmail', 'discardEmail', 'sendTestEmail'],
    ...['getInvitation', 'listInvitations', 'createInvitation', 'revokeInvitation'],
    // Visitors, operators and vouching members: server/features/community/applications.test.ts.
    ...['apply', 'withdrawApplication', 'listApplications', 'approveApplication', 'declineApplication'],
    ...['listVouchRequests', 'answerVouchRequest', 'confirmApplication', 'removeApplicationByEmailLink'],
    // The member to whom a group passed is tested in server/features/groups/group-succession.test.ts.
    'declineGroup',
    // The operator's own next steps: server/features/community/operator-first-steps.test.ts.
    ...['getFirstSteps', 'hideFirstSteps'],
    // The caller's own welcome: server/features/community/welcome.test.ts.
    ...['listSuggestedPeople', 'listSuggestedGroups', 'endWelcome'],
    // Taggable people and a member's photos: photo-tags.test.ts.
    ...['listTaggablePeople', 'listPhotosOfMe'],
    // The search in the caller's own conversations: message-search.test.ts.
    'searchMessages',
    // Appeals by email address and password: appeals.test.ts.
    ...['appealSuspension', 'appealSuspensionAfterSecondStep'],
  ]
  const operations = apiOperations.filter(({ name }) => !alone.includes(name))
  expect(
    operations.filter(({ method, path }) => !reached.has(`${method} /v1${path}`)).map(({ name }) => name),
  ).toEqual([])
  const api = '/v1/databases/:database/collections/:collection/documents'
  const ways = [
    `GET ${api}`,
    `POST ${api}`,
    ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${api}/:document`),
  ]
  const missing = collectionNames.flatMap((collection) =>
    ways.map((way) => `${way} ${collection}`).filter((way) => !reached.has(way)),
  )
  expect(missing).toEqual([])
})
