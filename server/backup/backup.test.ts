import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { createInvitationOperation } from '#contract/community/invitations.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { followOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  deletePostOperation,
  getHomeFeedOperation,
  likePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg, createNoisePng } from '#scripts/harness/image-fixtures.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { startMemberTraffic } from '#scripts/harness/traffic-generator.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { migrate } from '#server/database/migrate.ts'
import { connectToDatabase, type Database } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { type SecondServerNode, startSecondServerNode } from '#tests/support/second-node.ts'
import { settleNotifications } from '#tests/support/settle-notifications.ts'
import { listenAndGetRealtimeUrl } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

const log = createServerLogger('silent')
let folders: string
let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let imageId: string
let backup: string
let position: string

const newFolder = () => mkdtempSync(join(folders, 'folder-'))
const blobsIn = (dataDir: string) => openBlobStore({ dataDir })
const take = async (of: TestWorld, folder = join(newFolder(), 'backup')) => {
  await createBackup({ url: of.database.directUrl, blobs: await blobsIn(of.dataDir) }, folder)
  return folder
}

async function counts({ pool }: Database): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of [
    'accounts',
    'users',
    'files',
    'posts',
    'post_likes',
    'follows',
    'groups',
    'group_members',
    'messages',
    'notifications',
  ]) {
    const { rows } = await pool.query(`select count(*)::int as count from ${table}`)
    found[table] = rows[0].count
  }
  return found
}

type Restored = { database: Database; dataDir: string; node: SecondServerNode; end(): Promise<void> }

async function restored(from: string, options?: { keepSignIns: boolean }): Promise<Restored> {
  const database = await createUnmigratedTestDatabase()
  const dataDir = newFolder()
  await restoreBackup(from, { url: database.directUrl, blobs: await blobsIn(dataDir), log }, options)
  const node = await startSecondServerNode(database, { DATA_DIR: dataDir })
  return {
    database,
    dataDir,
    node,
    async end() {
      await node.end()
      await database.close()
    },
  }
}

beforeAll(async () => {
  folders = createNonDurableFolder('juntas-backups-')
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  await bea.call(followOperation, { personId: ana.id })
  imageId = await ana.upload(await createNoisePng(700, 500), 'mar.png')
  const words = { location: 'Cádiz', tags: ['mar', 'con, coma', '\\'] }
  const post = await ana.call(createPostOperation, {
    ...words,
    caption: 'Línea uno\nlínea "dos"\t\\N',
    photos: [
      { imageId, alt: 'El mar' },
      { imageId: await ana.upload(await createJpeg('#0a5c7a')), alt: 'La orilla\tde lejos' },
    ],
  })
  await bea.call(likePostOperation, { postId: post.$id })
  const group = await ana.call(createGroupOperation, {
    name: 'Punto',
    imageId: await ana.upload(await createJpeg()),
  })
  const { $id: requestId } = await bea.call(requestToJoinOperation, { groupId: group.$id })
  await ana.call(approveJoinRequestOperation, { requestId })
  const { $id: conversationId } = await ana.call(openConversationOperation, { personId: bea.id })
  await ana.call(sendMessageOperation, { conversationId, content: '¿Llegó todo?' })
  // A restore drops the session and the challenge.
  await w.visitor.request('POST', '/v1/sessions', { email: ana.email, password: testPassword })
  await w.database.pool.query(
    `insert into challenges (public_id, session_id, factor) select 'challenge', max(id), 'totp' from sessions`,
  )
  await settleNotifications(w.database)
  const { rows: alarms } = await w.database.pool.query(`select from notifications where kind = 'new-device'`)
  expect(alarms).toHaveLength(1)
  // No record uses this picture, so the backup leaves it out.
  await bea.upload(await createJpeg('#123456'))
  position = (await bea.call(catchUpOperation, {})).position
  backup = await take(w)
})
afterAll(async () => {
  await w.end()
  rmSync(folders, { recursive: true, force: true })
})

test('T27 a restore returns the backed-up data to the byte, and the instance works', async () => {
  const there = await restored(backup)
  try {
    const before = await counts(w.database)
    expect(await counts(there.database)).toEqual({ ...before, files: (before.files ?? 0) - 1 })
    expect(await findBrokenDatabaseInvariants(there.database)).toEqual([])
    const signIn = await createApiClient(there.node.app, '').request('POST', '/v1/account/sessions/email', {
      email: bea.email,
      password: testPassword,
    })
    const again = createApiClient(there.node.app, (signIn.headers['set-cookie'] ?? '').split(';')[0] ?? '')
    const feed = (await again.call(getHomeFeedOperation, {})).documents
    expect(feed).toEqual((await bea.call(getHomeFeedOperation, {})).documents)
    const here = await bea.request('GET', `${appwriteFilesPath}/${imageId}/view`)
    const copy = await again.request('GET', `${appwriteFilesPath}/${imageId}/view`)
    expect(copy.raw.equals(here.raw)).toBe(true)
    expect(feed[0]?.photos.map(({ alt }) => alt)).toEqual(['El mar', 'La orilla\tde lejos'])
    const second = `${appwriteFilesPath}/${feed[0]?.photos[1]?.id}/view`
    expect((await again.request('GET', second)).raw.equals((await bea.request('GET', second)).raw)).toBe(true)
    await again.call(createPostOperation, {
      caption: 'Aquí seguimos',
      location: 'Cádiz',
      tags: [],
      imageId: await again.upload(await createJpeg('#654321')),
    })
    expect(await findBrokenDatabaseInvariants(there.database)).toEqual([])
  } finally {
    await there.end()
  }
})

test('T27 a restore ends sessions unless the operator keeps sign-ins, and a client that was offline reloads', async () => {
  const there = await restored(backup)
  const moved = await restored(backup, { keepSignIns: true })
  try {
    const account = (node: SecondServerNode) =>
      createApiClient(node.app, bea.cookie).request('GET', '/v1/account')
    expect((await account(there.node)).status).toBe(401)
    expect((await account(moved.node)).status).toBe(200)
    // The cursor comes from another database, so it is unknown even though its transaction id is higher.
    const [, at] = position.split('.')
    const { resync } = await createApiClient(moved.node.app, bea.cookie).call(catchUpOperation, {
      since: `1.${at}`,
    })
    expect(resync).toBe(true)
  } finally {
    await there.end()
    await moved.end()
  }
})

test('T27 a restore ends invitations that were open in the backup, unless the operator keeps sign-ins', async () => {
  const { $id } = await ana.call(createInvitationOperation, {})
  const withInvitation = await take(w)
  const stateAfter = async (options?: { keepSignIns: boolean }) => {
    const database = await createUnmigratedTestDatabase()
    const to = { url: database.directUrl, blobs: await blobsIn(newFolder()), log }
    expect((await restoreBackup(withInvitation, to, options)).broken).toEqual([])
    const { rows } = await database.pool.query(
      'select ended_at is not null as ended from invitations where public_id = $1',
      [$id],
    )
    await database.close()
    return rows
  }
  expect(await stateAfter()).toEqual([{ ended: true }])
  expect(await stateAfter({ keepSignIns: true })).toEqual([{ ended: false }])
})

test('T27 a restore that failed after its migrations can be repeated', async () => {
  const database = await createUnmigratedTestDatabase()
  try {
    await migrate(database.directUrl, log)
    await restoreBackup(backup, { url: database.directUrl, blobs: await blobsIn(newFolder()), log })
    expect(await counts(database)).toMatchObject({ users: (await counts(w.database)).users })
  } finally {
    await database.close()
  }
})

test('a restore into a database that is not empty is refused', async () => {
  const other = await createTestWorld()
  try {
    const cleo = await other.join('Cleo')
    const restoring = restoreBackup(backup, {
      url: other.database.directUrl,
      blobs: await blobsIn(other.dataDir),
      log,
    })
    await expect(restoring).rejects.toThrow('The database is not empty')
    expect((await cleo.request('GET', '/v1/account')).status).toBe(200)
  } finally {
    await other.end()
  }
})

describe('T28 a damaged backup is refused, and nothing changes', () => {
  const onePicture = (folder: string) =>
    listFilePathsBelow(join(folder, 'files')).find((path) => path.endsWith('/original')) as string
  const flip = (path: string) => {
    const bytes = readFileSync(path)
    const middle = bytes.length >> 1
    bytes[middle] = (bytes[middle] as number) ^ 1
    writeFileSync(path, bytes)
  }

  test.each<[string, (folder: string) => void, RegExp]>([
    ['that was interrupted', (f) => rmSync(join(f, 'manifest.json')), /no complete backup/],
    [
      'whose manifest was edited',
      (f) =>
        writeFileSync(
          join(f, 'manifest.json'),
          readFileSync(join(f, 'manifest.json'), 'utf8').replace('"rows": 2', '"rows": 3'),
        ),
      /manifest\.json was changed after it was written/,
    ],
    [
      'whose manifest is cut off',
      (f) => truncateSync(join(f, 'manifest.json'), 100),
      /manifest\.json was changed after it was written/,
    ],
    [
      'with a table cut off',
      (f) => truncateSync(join(f, 'database/posts.copy.gz'), 30),
      /database\/posts\.copy\.gz was changed after it was written/,
    ],
    [
      'without a table',
      (f) => rmSync(join(f, 'database/users.copy.gz')),
      /database\/users\.copy\.gz is missing/,
    ],
    [
      'with more in a table',
      (f) => appendFileSync(join(f, 'database/users.copy.gz'), 'x'),
      /users\.copy\.gz was changed after/,
    ],
    [
      'with one bit of a picture turned',
      (f) => flip(onePicture(f)),
      /files\/.*\/original was changed after it was written/,
    ],
    ['without a picture', (f) => rmSync(onePicture(f)), /files\/.*\/original is missing/],
    [
      'with one bit of the list turned',
      (f) => flip(join(f, 'files.jsonl.gz')),
      /files\.jsonl\.gz was changed after it was written/,
    ],
  ])('a backup %s is refused, and nothing changes', async (_, damage, sentence) => {
    const damaged = newFolder()
    cpSync(backup, damaged, { recursive: true })
    damage(damaged)
    const database = await createUnmigratedTestDatabase()
    const dataDir = newFolder()
    try {
      const restoring = restoreBackup(damaged, {
        url: database.directUrl,
        blobs: await blobsIn(dataDir),
        log,
      })
      await expect(restoring).rejects.toThrow(sentence)
      const { rows } = await database.pool.query(
        `select from pg_class where relnamespace = 'public'::regnamespace`,
      )
      expect(rows).toEqual([])
      expect(listFilePathsBelow(join(dataDir, 'files'))).toEqual([])
    } finally {
      await database.close()
    }
  })
})

test('a backup into a folder with a backup or other files is refused, and the folder stays unchanged', async () => {
  await expect(take(w, backup)).rejects.toThrow('already')
  const other = newFolder()
  writeFileSync(join(other, 'letter.txt'), 'Querida Ana')
  await expect(take(w, other)).rejects.toThrow('contains other files: give an empty folder')
  expect(readdirSync(other)).toEqual(['letter.txt'])
})

test('a backup names a picture that is already damaged and saves the rest', async () => {
  const other = await createTestWorld()
  try {
    const dora = await other.join('Dora')
    const words = { caption: 'Un día', location: 'Vigo', tags: [] }
    await dora.call(createPostOperation, { ...words, imageId: await dora.upload(await createJpeg()) })
    await dora.call(createPostOperation, {
      ...words,
      imageId: await dora.upload(await createJpeg('#00ff00')),
    })
    const [first] = listFilePathsBelow(join(other.dataDir, 'files')).filter((path) =>
      path.endsWith('/original'),
    )
    appendFileSync(first as string, 'x')
    const manifest = await verifyBackup(await take(other))
    expect(manifest.lost).toEqual([first?.split('/').at(-2)])
    expect(manifest.pictures.count).toBe(1)
  } finally {
    await other.end()
  }
})

test('T27 a backup taken during writes, uploads and deletes is complete', async () => {
  const busy = await createTestWorld({ LIMITS: 'off' })
  try {
    const url = (await listenAndGetRealtimeUrl(busy.app)).replace('ws', 'http').replace('/v1/realtime', '')
    const eva = await busy.join('Eva')
    const bytes = await createJpeg('#abcdef', 1300, 900)
    let going = true
    const deleting = (async () => {
      while (going) {
        const words = { caption: 'Se va pronto', location: 'Lugo', tags: [] }
        const post = await eva.call(createPostOperation, { ...words, imageId: await eva.upload(bytes) })
        await eva.call(deletePostOperation, { postId: post.$id })
      }
    })()
    const traffic = await startMemberTraffic(url, { pairs: 2, readers: 0, uploaders: 1 })
    await expect.poll(() => traffic.report.uploads.made).toBeGreaterThan(1)
    const before = [...traffic.report.messages.sent]
    const folder = await take(busy)
    going = false
    await deleting
    expect((await traffic.stop()).failed).toEqual([])
    expect((await verifyBackup(folder)).lost).toEqual([])
    const there = await restored(folder)
    try {
      expect(await findBrokenDatabaseInvariants(there.database)).toEqual([])
      const { rows } = await there.database.pool.query<{ content: string }>('select content from messages')
      const saved = new Set(rows.map(({ content }) => content))
      expect(before.filter((content) => !saved.has(content))).toEqual([])
      const shown = await there.database.pool.query<{ key: string }>(`select storage_key as key from files`)
      const kept = listFilePathsBelow(join(folder, 'files')).filter((path) => path.endsWith('/original'))
      expect(kept.map((path) => path.split('/').at(-2)).sort()).toEqual(
        shown.rows.map(({ key }) => key).sort(),
      )
    } finally {
      await there.end()
    }
  } finally {
    await busy.end()
  }
})

test('T27 an instance moves to an embedded PostgreSQL and back, across versions', async () => {
  const dataDir = newFolder()
  const embedded = await startEmbeddedPostgres({ dataDir, log, durable: false })
  const halfWay = join(newFolder(), 'backup')
  try {
    const blobs = await blobsIn(dataDir)
    await restoreBackup(backup, { url: embedded.url, blobs, log }, { keepSignIns: true })
    await createBackup({ url: embedded.url, blobs }, halfWay)
    const database = connectToDatabase({ url: embedded.url, log })
    expect(await findBrokenDatabaseInvariants(database)).toEqual([])
    await database.close()
  } finally {
    await embedded.stop()
  }
  const there = await restored(halfWay, { keepSignIns: true })
  try {
    const before = await counts(w.database)
    expect(await counts(there.database)).toEqual({ ...before, files: (before.files ?? 0) - 1 })
    const feed = (await createApiClient(there.node.app, bea.cookie).call(getHomeFeedOperation, {})).documents
    expect(feed).toEqual((await bea.call(getHomeFeedOperation, {})).documents)
  } finally {
    await there.end()
  }
})
