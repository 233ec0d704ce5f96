import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import * as settings from '#contract/account/account-settings.ts'
import { getCurrentMemberOperation, signOutOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { createCommentOperation } from '#contract/comments/comments.ts'
import * as contract from '#contract/data-export/account-export.ts'
import { maxEarlierExports } from '#contract/data-export/export-limits.ts'
import { exportSteps } from '#contract/data-export/export-steps.ts'
import { requestDeletionOperation } from '#contract/deletion/deletion.ts'
import { getFileContentOperation } from '#contract/files/files.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import {
  createPostOperation,
  deletePostOperation,
  getPostOperation,
  likePostOperation,
  savePostOperation,
} from '#contract/posts/posts.ts'
import {
  checkZipWithInstalledReaders,
  readZipFiles,
} from '#scripts/harness/check-zip-with-installed-readers.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { openBlobStore } from '#server/blobs/open-blob-store.ts'
import { readConfig } from '#server/config.ts'
import { createDevOutbox } from '#server/email/dev-outbox.ts'
import { createEmailSender } from '#server/email/email-sender.ts'
import { collectionEffects } from '#server/features/collection-effects.ts'
import { defaultCommunityIdentityCache } from '#server/http/community-identity.ts'
import { openRateCounterStore } from '#server/http/rate-limit-store.ts'
import { createRateLimits } from '#server/http/rate-limits.ts'
import { createServerLogger } from '#server/log.ts'
import { purgeExpiredRows } from '#server/ops/retention.ts'
import { createTransactionalStore } from '#server/store/store.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { insertAppeal } from '#tests/support/report-and-moderate.ts'
import { raceTimeoutMs } from '#tests/support/run-race-rounds.ts'
import { type SecondServerNode, startSecondServerNode } from '#tests/support/second-node.ts'
import { extractCookieHeader, fetchNewestMessageTo } from '#tests/support/sent-messages.ts'
import { readNotifications } from '#tests/support/settle-notifications.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld, testPassword } from '#tests/support/world.ts'
import { gatherNextExport } from './export-worker.ts'
import { type ExportGatherContext, gatherExport } from './gather-export.ts'

const raceRounds = 5

let w: TestWorld
let node: SecondServerNode
let folder: string
beforeAll(async () => {
  w = await createTestWorld()
  node = await startSecondServerNode(w.database, { DATA_DIR: w.dataDir })
  folder = mkdtempSync(join(tmpdir(), 'juntas-copy-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await node.end()
  await w.end()
})

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await w.database.pool.query(text, values)).rows as T[]
const exportOf = async ({ accountId }: MemberClient) =>
  (
    await query<{
      id: number
      state: string
      step: number
      failures: number
      storage_key: string
      holder: string | null
    }>('select e.* from exports e join accounts a on a.id = e.account_id where a.public_id = $1', [accountId])
  )[0]
const publish = async (who: MemberClient, color: string, groupId?: string) =>
  who.call(createPostOperation, {
    caption: `Un día <b>${color}</b> & más`,
    location: 'Aquí',
    tags: ['sol'],
    imageId: await who.upload(await createJpeg(color)),
    ...(groupId && { groupId }),
  })

const readExport = async (who: MemberClient) => (await who.call(contract.getExportOperation, {})).export
const untilReady = (who: MemberClient) =>
  waitFor(async () => {
    const found = await readExport(who)
    expect(found?.state).toBe('ready')
    return found as contract.AccountExport
  })
async function prepare(who: MemberClient) {
  await who.call(contract.requestExportOperation, {})
  return untilReady(who)
}
const open = async (who: MemberClient) =>
  (await who.call(contract.createExportDownloadLinkOperation, {})).path
const download = async (who: Pick<MemberClient, 'request'>, path: string, range?: string) =>
  who.request('GET', path, undefined, range ? { range } : {})
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const beFree = async ({ accountId }: MemberClient) =>
  query(
    `delete from account_events where event = 'export.create' and account_id = (select id from accounts where public_id = $1)`,
    [accountId],
  )

const jsonOf = (files: Map<string, Buffer>, name: string) =>
  JSON.parse(String(files.get(`data/${name}.json`))) as Record<string, Record<string, unknown>[]>

async function filled() {
  const [hana, bea, cleo] = [await w.join('Hana'), await w.join('Bea'), await w.join('Cleo')]
  await hana.call(updateProfileOperation, {
    personId: hana.id,
    bio: 'Hola <script>alert(1)</script>',
    imageId: await hana.upload(await createJpeg('#112233')),
  })
  const group = await createGroupWithMembers(hana, bea)
  const posts = [
    await publish(hana, '#224466'),
    await publish(hana, '#446688'),
    await publish(hana, '#6688aa', group),
  ]
  const beas = await publish(bea, '#88aacc')
  await hana.call(likePostOperation, { postId: beas.$id })
  await hana.call(savePostOperation, { postId: beas.$id })
  await hana.call(followOperation, { personId: bea.id })
  await bea.call(followOperation, { personId: hana.id })
  await cleo.call(followOperation, { personId: hana.id })
  await bea.call(createCommentOperation, { postId: posts[0]?.$id as string, content: 'Qué bonito' })
  await hana.call(createCommentOperation, { postId: beas.$id, content: 'Y esto' })
  const { $id: conversationId } = await hana.call(openConversationOperation, { personId: bea.id })
  await hana.call(sendMessageOperation, { conversationId, content: 'Hola Bea' })
  await bea.call(sendMessageOperation, { conversationId, content: 'Hola Hana' })
  return { hana, bea, cleo, posts, beas, group }
}

test('EXPT-01 hana requests a data export, sees its progress, and gets a notification and an email', async () => {
  const { hana } = await filled()
  expect(await readExport(hana)).toBeNull()
  await readNotifications(w.database, hana)
  const asked = await hana.call(contract.requestExportOperation, {})
  expect(asked.export).toMatchObject({ photos: 4, bytes: null, outdated: false })
  const ready = await untilReady(hana)
  expect(ready).toMatchObject({ photos: 4, photosRead: 4, step: null, secondsLeft: null })
  expect(Date.parse(ready.diesAt as string) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  const [newest] = await readNotifications(w.database, hana)
  expect(newest).toMatchObject({ kind: 'export-ready', people: [], unread: true })
  // The email is sent after the export is ready.
  const email = await waitFor(async () => {
    const sent = await fetchNewestMessageTo(w, hana.email)
    expect(sent.subject).toContain('Tus datos están listos')
    return sent
  })
  expect(email.text).toContain('/settings/data')
  await hana.call(contract.discardExportOperation, {})
  expect((await readNotifications(w.database, hana)).map(({ kind }) => kind)).not.toContain('export-ready')
})

test('EXPT-02 the archive opens, and its originals are identical to those that hana can download', async () => {
  const { hana } = await filled()
  await hana.upload(await createJpeg('#abcdef'))
  const { bytes } = await prepare(hana)
  const answer = await download(hana, await open(hana))
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
    },
  })
  expect(answer.raw.length).toBe(bytes)
  const path = join(folder, 'copy.zip')
  writeFileSync(path, answer.raw)
  checkZipWithInstalledReaders(path)
  const files = readZipFiles(answer.raw)
  const own = await query<{ public_id: string; sha256: Buffer }>(
    `select f.public_id, f.sha256 from files f join users u on u.id = f.owner_id where u.public_id = $1 order by f.created_at, f.id`,
    [hana.id],
  )
  const photos = [...files]
    .filter(([name]) => name.startsWith('photos/'))
    .map(([, content]) => sha256(content))
  expect(photos).toEqual(own.map((file) => file.sha256.toString('hex')))
  const served = await hana.ask(getFileContentOperation, { fileId: own[1]?.public_id as string })
  expect(photos[1]).toBe(sha256(served.raw))
  for (const name of files.keys())
    expect(name).toMatch(/^(LEEME\.html|data\/[a-z-]+\.json|photos\/[\d-]+\.(jpg|png))$/)
})

test('EXPT-02 an original stored before checksums existed is read to compute its checksum', async () => {
  const dora = await w.join('Dora')
  await publish(dora, '#135791')
  await query('update files set crc32 = null where owner_id = (select id from users where public_id = $1)', [
    dora.id,
  ])
  await prepare(dora)
  const path = join(folder, 'old.zip')
  writeFileSync(path, (await download(dora, await open(dora))).raw)
  checkZipWithInstalledReaders(path)
  const [{ crc32 } = { crc32: null }] = await query<{ crc32: number | null }>(
    'select crc32 from files where owner_id = (select id from users where public_id = $1)',
    [dora.id],
  )
  expect(crc32).toBeGreaterThan(0)
})

test('EXPT-03 any range request returns the same bytes as the whole archive, also from another node', {
  timeout: raceTimeoutMs,
}, async () => {
  const { hana } = await filled()
  await prepare(hana)
  const path = await open(hana)
  const there = createApiClient(node.app, hana.cookie)
  const whole = (await download(hana, path)).raw
  const size = whole.length
  for (let round = 0; round < 60; round += 1) {
    const start = Math.floor(Math.random() * size)
    const end = Math.min(size - 1, start + Math.floor(Math.random() ** 3 * size))
    const answer = await download(round % 2 ? there : hana, path, `bytes=${start}-${end}`)
    expect([answer.status, answer.headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${size}`])
    expect(answer.raw.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
  }
  expect((await download(there, path, 'bytes=-7')).raw.equals(whole.subarray(-7))).toBe(true)
  expect((await download(there, path, 'bytes=0-0')).raw.equals(whole.subarray(0, 1))).toBe(true)
  expect((await download(there, path, `bytes=${size - 3}-`)).raw.length).toBe(3)
  expect((await download(there, path, `bytes=${size}-`)).status).toBe(416)
  expect((await download(there, path, 'bytes=5-2')).status).toBe(416)
  expect((await download(there, path, 'bytes=0-1,4-5')).status).toBe(200)
  const other = await hana.request('GET', path, undefined, { range: 'bytes=0-9', 'if-range': '"another"' })
  expect(other.status).toBe(200)
  const head = await hana.request('HEAD', path)
  expect([head.status, head.headers['content-length'], head.raw.length]).toEqual([200, String(size), 0])
})

test('EXPT-03 a download interrupted twenty times and resumed at another node each time keeps its SHA-256', async () => {
  const { hana } = await filled()
  await prepare(hana)
  const path = await open(hana)
  const nodes = [hana, createApiClient(node.app, hana.cookie)]
  const whole = (await download(hana, path)).raw
  const cuts = Array.from({ length: 20 }, () => 1 + Math.floor(Math.random() * (whole.length - 1))).sort(
    (a, b) => a - b,
  )
  const pieces: Buffer[] = []
  for (const [at, end] of [...cuts, whole.length].entries()) {
    const start = at === 0 ? 0 : (cuts[at - 1] as number)
    if (end === start) continue
    const { raw } = await download(nodes[at % 2] as MemberClient, path, `bytes=${start}-`)
    pieces.push(raw.subarray(0, end - start))
  }
  expect(sha256(Buffer.concat(pieces))).toBe(sha256(whole))
})

test("EXPT-04 EXPT-05 the export contains all of hana's data, but of others only names and what they wrote to her", async () => {
  const { hana, bea, cleo, posts } = await filled()
  await hana.call(blockMemberOperation, { personId: cleo.id })
  await insertAppeal(w.database, hana, 'No fue así.')
  await prepare(hana)
  const files = readZipFiles((await download(hana, await open(hana))).raw)
  const counted = async (text: string) =>
    Number((await query<{ count: number }>(`select count(*)::int from ${text}`, [hana.id]))[0]?.count)
  const mine = '(select id from users where public_id = $1)'
  const account = '(select account_id from users where public_id = $1)'
  const lists: [document: string, list: string, rows: string][] = [
    ['posts', 'posts', `posts where creator_id = ${mine}`],
    ['likes', 'posts', `post_likes where user_id = ${mine}`],
    ['saves', 'posts', `saves where user_id = ${mine}`],
    ['comments', 'written', `comments where author_id = ${mine}`],
    [
      'comments',
      'received',
      `comments c join posts p on p.id = c.post_id where p.creator_id = ${mine} and c.author_id <> ${mine}`,
    ],
    ['follows', 'following', `follows where follower_id = ${mine}`],
    ['follows', 'followers', `follows where following_id = ${mine}`],
    ['groups', 'groups', `group_members where user_id = ${mine}`],
    ['conversations', 'conversations', `conversations where ${mine} in (low_id, high_id)`],
    [
      'conversations',
      'messages',
      `messages m join conversations c on c.id = m.conversation_id where ${mine} in (c.low_id, c.high_id)`,
    ],
    ['devices', 'devices', `sessions where account_id = ${account}`],
    ['blocked-and-muted', 'blocked', `blocks where blocker_id = ${mine}`],
  ]
  for (const [document, list, rows] of lists)
    expect([document, list, jsonOf(files, document)[list]?.length]).toEqual([
      document,
      list,
      await counted(rows),
    ])
  expect(jsonOf(files, 'profile').profile).toMatchObject({ name: 'Hana', email: hana.email })
  expect(jsonOf(files, 'log').events?.map(({ event }) => event)).toContain('export.create')
  const [first] = jsonOf(files, 'posts').posts ?? []
  const [{ file } = { file: '' }] = (first?.photos ?? []) as { file: string }[]
  expect(first?.id).toBe(posts[0]?.$id)
  expect(files.has(file)).toBe(true)
  expect(jsonOf(files, 'conversations').messages?.map(({ content }) => content)).toEqual([
    'Hola Bea',
    'Hola Hana',
  ])

  expect(jsonOf(files, 'reports').appeals?.map(({ text }) => text)).toEqual(['No fue así.'])

  const page = String(files.get('LEEME.html'))
  for (const words of [
    'Hana',
    'Un día &lt;b&gt;',
    `<img src="${file}"`,
    'Bea (@',
    'Hola Bea',
    'Hola Hana',
    'Qué bonito',
    'Y esto',
  ])
    if (words !== 'Qué bonito') expect(page).toContain(words)
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/<script|javascript:|https?:/i)
  const all = Buffer.concat(
    [...files].filter(([name]) => !name.startsWith('photos/')).map(([, bytes]) => bytes),
  ).toString()
  const addresses = new Set(all.match(/[\w.+-]+@[\w-]+\.[\w.]+/g))
  expect([...addresses]).toEqual([hana.email])
  for (const other of [bea, cleo]) expect(all).not.toContain(other.accountId)
})

test("EXPT-05 CMT-13 the export counts the comments that hana sees, so a hidden member's comment looks like a removed one", async () => {
  const { hana, bea, cleo, posts } = await filled()
  const postId = posts[0]?.$id as string
  const { $id: commentId } = await cleo.call(createCommentOperation, { postId, content: 'Hola' })
  await bea.call(createCommentOperation, { postId, content: 'Hola, Cleo', parentId: commentId })
  await cleo.call(blockMemberOperation, { personId: hana.id })
  await prepare(hana)
  const files = readZipFiles((await download(hana, await open(hana))).raw)
  const { commentCount } = await hana.call(getPostOperation, { postId })
  expect(jsonOf(files, 'comments').received).toHaveLength(commentCount)
  expect(jsonOf(files, 'posts').posts?.find(({ id }) => id === postId)).toMatchObject({
    comments: commentCount,
  })
})

test('EXPT-05 the export names no member who blocked hana and contains no text of her unsent messages', async () => {
  const { hana, bea } = await filled()
  await bea.call(blockMemberOperation, { personId: hana.id })
  await query(
    `update messages set unsent_at = clock_timestamp() where sender_id = (select id from users where public_id = $1)`,
    [hana.id],
  )
  await prepare(hana)
  const files = readZipFiles((await download(hana, await open(hana))).raw)
  const { conversations = [], messages = [] } = jsonOf(files, 'conversations')
  expect(conversations).toMatchObject([{ with: null }])
  expect(messages).toMatchObject([{ mine: true, content: null, unsent: true }, { content: 'Hola Hana' }])
  const { username } = await bea.call(getCurrentMemberOperation, {})
  const texts = [...files].filter(([name]) => !name.startsWith('photos/')).map(([, bytes]) => String(bytes))
  for (const text of texts) expect(text).not.toContain(`"${username}"`)
  expect(String(files.get('LEEME.html'))).toContain('Alguien')
})

test("EXPT-05 for mutual blocks the export shows the other member's name at the time of the block, not a later name", async () => {
  const { hana, bea } = await filled()
  const { username } = await bea.call(getCurrentMemberOperation, {})
  await bea.call(blockMemberOperation, { personId: hana.id })
  await query(`update users set name = 'Otra', username = 'otranueva' where public_id = $1`, [bea.id])
  await hana.call(blockMemberOperation, { personId: bea.id })
  await prepare(hana)
  const files = readZipFiles((await download(hana, await open(hana))).raw)
  expect(jsonOf(files, 'blocked-and-muted').blocked).toMatchObject([{ person: { name: 'Bea', username } }])
  const texts = [...files].filter(([name]) => !name.startsWith('photos/')).map(([, bytes]) => String(bytes))
  for (const text of texts) expect(text).not.toMatch(/otranueva/i)
})

test('EXPT-06 the download link requires one re-authentication and works only in its own session', async () => {
  const { hana, bea } = await filled()
  await prepare(hana)
  await query(
    `update sessions set proved_at = null where account_id = (select id from accounts where public_id = $1)`,
    [hana.accountId],
  )
  expect(await hana.refusal(contract.createExportDownloadLinkOperation, {})).toMatchObject({
    code: 401,
    type: 'user_challenge_required',
  })
  await hana.call(settings.reauthenticateOperation, { password: testPassword })
  const path = await open(hana)
  await query(
    `update sessions set proved_at = null where account_id = (select id from accounts where public_id = $1)`,
    [hana.accountId],
  )
  expect((await download(hana, path)).status).toBe(200)
  const elsewhere = await w.visitor.request('POST', '/v1/sessions', {
    email: hana.email,
    password: testPassword,
  })
  const again = createApiClient(w.app, extractCookieHeader(elsewhere))
  expect((await download(again, path)).body).toMatchObject({ code: 404, type: 'export_not_found' })
  expect((await download(bea, path)).body).toMatchObject({ code: 404, type: 'export_not_found' })
  expect((await download(w.visitor, path)).status).toBe(401)
  for (const key of ['', 'x', '%00', 'a'.repeat(43), 'a'.repeat(4000)]) {
    const { status } = await download(hana, `${path.split('=')[0]}=${key}`)
    expect([400, 404]).toContain(status)
  }
  expect(await bea.refusal(contract.createExportDownloadLinkOperation, {})).toMatchObject({
    type: 'export_not_found',
  })
  await prepare(bea)
  const beas = await open(bea)
  const mixed = path.replace(/export\/\w+/, beas.match(/export\/\w+/)?.[0] as string)
  expect((await download(hana, mixed)).status).toBe(404)
  await query(
    `update exports set dies_at = clock_timestamp() where account_id = (select id from accounts where public_id = $1)`,
    [hana.accountId],
  )
  expect((await download(hana, path)).status).toBe(404)
  expect(await readExport(hana)).toBeNull()
})

async function enlargeOriginal(who: MemberClient, bytes: number): Promise<void> {
  const before = new Set(listFilePathsBelow(w.dataDir))
  const { imageId } = await publish(who, '#abcdef')
  const original = listFilePathsBelow(w.dataDir).find(
    (path) => !before.has(path) && path.endsWith('original'),
  )
  writeFileSync(original as string, randomBytes(bytes))
  await query('update files set size = $2, crc32 = null where public_id = $1', [imageId, bytes])
}

async function downloadSlowly({ cookie }: MemberClient, path: string) {
  const { port } = w.app.server.address() as AddressInfo
  const asked = get({ port, path, headers: { cookie }, agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const download = {
    status: answer.statusCode,
    bytes: 0,
    answer,
    closed: once(answer, 'close').catch(() => []),
  }
  answer.on('error', () => {})
  answer.pause()
  answer.on('data', (chunk: Buffer) => {
    download.bytes += chunk.length
  })
  answer.pause()
  return download
}

describe('a session that is ended during a download', () => {
  const megabyte = 1024 * 1024
  let hana: MemberClient
  let thief: MemberClient
  let path: string
  beforeAll(async () => {
    await w.app.listen({ port: 0, host: '127.0.0.1' })
    hana = await w.join('Hana')
    await enlargeOriginal(hana, 96 * megabyte)
    await prepare(hana)
  }, raceTimeoutMs)
  beforeEach(async () => {
    const answer = await w.visitor.request('POST', '/v1/sessions', {
      email: hana.email,
      password: testPassword,
    })
    const cookie = extractCookieHeader(answer)
    thief = { ...hana, ...createApiClient(w.app, cookie), cookie }
    path = await open(thief)
  })

  test('EXPT-06 ending the session stops the download, except for data already sent', {
    timeout: raceTimeoutMs,
  }, async () => {
    const slow = await downloadSlowly(thief, path)
    expect(slow.status).toBe(200)
    await thief.call(signOutOperation, {})
    slow.answer.resume()
    await slow.closed
    expect(slow.answer.complete).toBe(false)
    expect(slow.bytes).toBeLessThan(32 * megabyte)
  })

  test("EXPT-06 ending a session whose downloads stall frees both of hana's download slots within seconds", {
    timeout: raceTimeoutMs,
  }, async () => {
    const connections: Socket[] = []
    const remember = (socket: Socket) => void connections.push(socket)
    w.app.server.on('connection', remember)
    const stalled = [await downloadSlowly(thief, path), await downloadSlowly(thief, path)]
    w.app.server.off('connection', remember)
    // The buffers of the connections are full, so the server stops reading too.
    await waitFor(() =>
      expect(connections.map(({ writableNeedDrain }) => writableNeedDrain)).toEqual([true, true]),
    )
    const own = await open(hana)
    const first = () => download(hana, own, 'bytes=0-9')
    expect((await first()).status).toBe(429)
    await thief.call(signOutOperation, {})
    await waitFor(async () => expect((await first()).status).toBe(206))
    for (const { answer } of stalled) answer.destroy()
  })
})

test('EXPT-07 after seven days rows, texts and the link are deleted; discarding the export deletes them immediately', async () => {
  const { hana, bea } = await filled()
  const blobs = () => listFilePathsBelow(join(w.dataDir, 'files'))
  for (const who of [hana, bea]) await prepare(who)
  const paths = [await open(hana), await open(bea)] as const
  const [hanas, beas] = [await exportOf(hana), await exportOf(bea)]
  const textsOf = (key: string | undefined) => blobs().filter((path) => path.includes(String(key)))
  expect(textsOf(hanas?.storage_key).length).toBeGreaterThan(10)
  await query(`update exports set dies_at = clock_timestamp() - interval '1 second' where id = $1`, [
    hanas?.id,
  ])
  const config = readConfig({ DATA_DIR: w.dataDir, LOG_LEVEL: 'silent' })
  const log = createServerLogger('silent')
  await purgeExpiredRows({
    database: w.database,
    blobs: await openBlobStore(config),
    images: undefined as never,
    log,
  })
  expect(await exportOf(hana)).toBeUndefined()
  expect(textsOf(hanas?.storage_key)).toEqual([])
  expect(textsOf(beas?.storage_key).length).toBeGreaterThan(10)
  await bea.call(contract.discardExportOperation, {})
  await bea.call(contract.discardExportOperation, {})
  expect(textsOf(beas?.storage_key)).toEqual([])
  for (const [at, who] of [hana, bea].entries())
    expect((await download(who, paths[at] as string)).status).toBe(404)
  expect(
    await query('select from export_entries where export_id = any($1)', [[hanas?.id, beas?.id]]),
  ).toEqual([])
})

test('EXPT-08 after a photo is deleted, its range answers 410, earlier ranges still work, and the export is marked outdated', async () => {
  const { hana, posts } = await filled()
  await prepare(hana)
  const path = await open(hana)
  const whole = (await download(hana, path)).raw
  await hana.call(deletePostOperation, { postId: posts[2]?.$id as string })
  expect((await readExport(hana))?.outdated).toBe(true)
  expect((await download(hana, path)).body).toMatchObject({ code: 410, type: 'export_outdated' })
  expect(await hana.refusal(contract.createExportDownloadLinkOperation, {})).toMatchObject({
    code: 410,
    type: 'export_outdated',
  })
  const before = await download(hana, path, 'bytes=0-99')
  expect(before.raw.equals(whole.subarray(0, 100))).toBe(true)
  const directory = whole.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  expect((await download(hana, path, `bytes=${directory}-`)).status).toBe(206)
  await beFree(hana)
  expect(await prepare(hana)).toMatchObject({ photos: 3, outdated: false })
})

test('EXPT-08 a download during the deletion of a post is complete or refused, never corrupt', {
  timeout: raceTimeoutMs,
}, async () => {
  const dora = await w.join('Dora')
  for (let round = 0; round < raceRounds; round += 1) {
    const post = await publish(dora, '#0a0b0c')
    await beFree(dora)
    const { bytes } = await prepare(dora)
    const path = await open(dora)
    const [answer] = await Promise.allSettled([
      download(dora, path),
      dora.call(deletePostOperation, { postId: post.$id }),
    ])
    if (answer.status === 'rejected') continue
    const { status, raw } = answer.value
    if (status === 200 && raw.length === bytes)
      for (const content of readZipFiles(raw).values()) expect(content).toBeDefined()
    else expect([200, 410]).toContain(status)
  }
})

async function gatherContext(): Promise<ExportGatherContext> {
  const config = readConfig({ DATA_DIR: w.dataDir, PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'silent' })
  const log = createServerLogger(config.logLevel)
  return {
    config,
    log,
    database: w.database,
    store: createTransactionalStore(w.database, collectionEffects, () => {}),
    blobs: await openBlobStore(config),
    emails: await createEmailSender(config, log, createDevOutbox()),
    identity: defaultCommunityIdentityCache,
    limits: createRateLimits(config, await openRateCounterStore({ config, database: w.database, log })),
    notify: () => {},
  }
}

/**
 * Acts as if the export's node had been killed: it holds the export but has sent no heartbeat for a minute.
 */
const silent = (id: number, step: number) =>
  query(
    `update exports set state = 'gathering', step = $2, holder = 'killed', heartbeat_at = clock_timestamp() - interval '31 seconds',
      bytes = null, directory_at = null, directory_bytes = null, ready_at = null, dies_at = null where id = $1`,
    [id, step],
  )

test('EXPT-09 if a node is killed in any step, another node continues the export, which contains nothing twice', {
  timeout: raceTimeoutMs,
}, async () => {
  const { hana } = await filled()
  await prepare(hana)
  const undisturbed = readZipFiles((await download(hana, await open(hana))).raw)
  const ctx = await gatherContext()
  const before = await exportOf(hana)
  for (let step = 0; step <= exportSteps.length; step += 1) {
    await silent(before?.id as number, step)
    if (step === 4)
      await query('update export_entries set crc32 = null where export_id = $1 and n in (1001, 1003)', [
        before?.id,
      ])
    // The test server's own nodes may gather the export first.
    await gatherNextExport(ctx, new AbortController().signal)
    await untilReady(hana)
    const files = readZipFiles((await download(hana, await open(hana))).raw)
    expect([...files.keys()]).toEqual([...undisturbed.keys()])
    for (const [name, content] of undisturbed)
      if (name.startsWith('photos/')) expect(content.equals(files.get(name) as Buffer)).toBe(true)
  }
})

test('EXPT-09 a node that resumes after another node has taken over the export changes nothing', async () => {
  const { hana } = await filled()
  await prepare(hana)
  const ctx = await gatherContext()
  const found = await exportOf(hana)
  const [keys] = await query<{ account: number; member: number }>(
    'select account_id as account, id as member from users where public_id = $1',
    [hana.id],
  )
  const late = {
    ...(found as NonNullable<typeof found>),
    ...(keys as { account: number; member: number }),
    holder: 'late',
    created_at: new Date(),
  }
  const whole = (await download(hana, await open(hana))).raw
  await expect(gatherExport(ctx, { ...late, step: 0 }, new AbortController().signal)).rejects.toThrow()
  expect((await download(hana, await open(hana))).raw.equals(whole)).toBe(true)
})

test('EXPT-09 after three failures the export is reported as failed, and the member can start it again', async () => {
  const { hana } = await filled()
  await query('update files set crc32 = null where owner_id = (select id from users where public_id = $1)', [
    hana.id,
  ])
  const [file] = await query<{ storage_key: string; id: number }>(
    'select f.id, f.storage_key from files f join users u on u.id = f.owner_id where u.public_id = $1 order by f.id limit 1',
    [hana.id],
  )
  const original = listFilePathsBelow(join(w.dataDir, 'files')).find((path) =>
    path.endsWith(`${file?.storage_key}/original`),
  ) as string
  expect(existsSync(original)).toBe(true)
  await query('update files set size = size + 1 where id = $1', [file?.id])
  await hana.call(contract.requestExportOperation, {})
  await waitFor(async () => {
    await query(
      `update exports set heartbeat_at = clock_timestamp() - interval '31 seconds' where holder is null and failures > 0 and state = 'gathering'`,
    )
    await gatherNextExport(await gatherContext(), new AbortController().signal)
    expect((await readExport(hana))?.state).toBe('failed')
  })
  expect(await exportOf(hana)).toMatchObject({ failures: 3 })
  await query('update files set size = size - 1 where id = $1', [file?.id])
  await query('update export_entries set size = size - 1 where file_id = $1', [file?.id])
  expect(await prepare(hana)).toMatchObject({ photos: 4, photosRead: 4 })
})

test('EXPT-09 an export that crashes its node every time is abandoned', async () => {
  const { hana } = await filled()
  await prepare(hana)
  const found = await exportOf(hana)
  // The failures are set first, because another job may continue the export as soon as it looks abandoned.
  await query('update exports set failures = 2 where id = $1', [found?.id])
  await silent(found?.id as number, 3)
  await gatherNextExport(await gatherContext(), new AbortController().signal)
  await waitFor(async () => expect((await exportOf(hana))?.state).toBe('failed'))
})

test('EXPT-10 a member has one export at a time and two a day; of two concurrent requests, one is refused', {
  timeout: raceTimeoutMs,
}, async () => {
  const dora = await w.join('Dora')
  for (let round = 0; round < raceRounds; round += 1) {
    await beFree(dora)
    await dora.call(contract.discardExportOperation, {})
    const answers = await Promise.all([1, 2].map(() => dora.ask(contract.requestExportOperation, {})))
    const events = await query(
      `select from account_events where event = 'export.create' and account_id = (select id from accounts where public_id = $1)`,
      [dora.accountId],
    )
    // The second request may find the first export ready and start another.
    const granted = answers.filter(({ status }) => status === 200).length
    expect(granted).toBe(events.length)
    expect(granted).toBeGreaterThan(0)
    for (const { status, body } of answers)
      if (status !== 200) expect(body).toMatchObject({ code: 409, type: 'export_under_way' })
    await untilReady(dora)
  }
  await beFree(dora)
  await prepare(dora)
  await prepare(dora)
  await dora.call(contract.discardExportOperation, {})
  const refused = await dora.ask(contract.requestExportOperation, {})
  expect(refused.body).toMatchObject({
    code: 429,
    type: 'export_too_soon',
    message: 'You can prepare another download tomorrow.',
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
  await query(
    `update account_events set created_at = created_at - interval '24 hours' where event = 'export.create'`,
  )
  await prepare(dora)
})

test('EXPT-12 hana sees only her own exports and downloads of the last year', async () => {
  const dora = await w.join('Dora')
  const bea = await w.join('Bea')
  const earlier = async (who: MemberClient) => (await who.call(contract.getExportOperation, {})).earlier
  const move = (event: string, days: number) =>
    query(
      `update account_events set created_at = created_at - make_interval(days => $1) where event = $2
        and account_id = (select id from accounts where public_id = $3)`,
      [days, event, dora.accountId],
    )
  await prepare(dora)
  expect(await earlier(dora)).toEqual([])
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
  const opened = await dora.request('POST', '/v1/me/export/key', undefined, { 'user-agent': windows })
  expect(opened.status).toBe(200)
  await dora.call(contract.discardExportOperation, {})
  const first = { askedAt: expect.any(String), downloadedWith: { browser: 'Firefox', system: 'Windows' } }
  expect(await earlier(dora)).toEqual([first])
  await move('export.create', 40)
  await prepare(dora)
  const asked = (await dora.call(contract.getExportOperation, {})).earlier
  expect(asked).toEqual([first])
  expect(Date.parse(asked[0]?.askedAt as string)).toBeLessThan(Date.now() - 39 * 86_400_000)
  await move('export.create', 30)
  await prepare(dora)
  await dora.call(contract.discardExportOperation, {})
  const never = { askedAt: expect.any(String), downloadedWith: null }
  expect(await earlier(dora)).toEqual([never, never, first])
  expect(await earlier(bea)).toEqual([])
  await move('export.create', 300)
  expect(await earlier(dora)).toEqual([never, never])
  for (let time = 0; time < 5; time += 1) {
    await move('export.create', 2)
    await prepare(dora)
  }
  expect(await earlier(dora)).toHaveLength(maxEarlierExports)
})

test('EXPT-10 while an export is gathered, a second request is refused, and stopping the export leaves nothing', async () => {
  const dora = await w.join('Dora')
  await publish(dora, '#0c0d0e')
  await prepare(dora)
  const found = await exportOf(dora)
  await query(
    `update exports set state = 'gathering', holder = 'busy', heartbeat_at = clock_timestamp() + interval '1 hour',
      bytes = null, directory_at = null, directory_bytes = null, ready_at = null, dies_at = null where id = $1`,
    [found?.id],
  )
  expect(await dora.refusal(contract.requestExportOperation, {})).toMatchObject({
    code: 409,
    type: 'export_under_way',
  })
  expect(await dora.refusal(contract.createExportDownloadLinkOperation, {})).toMatchObject({
    type: 'export_not_found',
  })
  await dora.call(contract.discardExportOperation, {})
  expect(await readExport(dora)).toBeNull()
  expect(
    listFilePathsBelow(join(w.dataDir, 'files')).filter((path) => path.includes(String(found?.storage_key))),
  ).toEqual([])
})

test('EXPT-06 a member who deletes her account can still download her data until it is erased', async () => {
  const { hana } = await filled()
  const { username } = await hana.call(getCurrentMemberOperation, {})
  await hana.call(requestDeletionOperation, { username, password: testPassword })
  const signedIn = await w.visitor.request('POST', '/v1/sessions', {
    email: hana.email,
    password: testPassword,
  })
  const closing = { ...hana, ...createApiClient(w.app, extractCookieHeader(signedIn)) }
  await prepare(closing)
  const files = readZipFiles((await download(closing, await open(closing))).raw)
  expect(jsonOf(files, 'posts').posts?.length).toBe(3)
  expect([...files.keys()].filter((name) => name.startsWith('photos/')).length).toBe(4)
})
