/** Full run: `KILLS=50 npm test -- durability/account-deletion`, five kills for each of ten accounts. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { getCurrentMemberOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { listConversationsOperation } from '#contract/chat/conversations.ts'
import { listCommentsOperation } from '#contract/comments/comments.ts'
import { getExportOperation, requestExportOperation } from '#contract/data-export/account-export.ts'
import * as contract from '#contract/deletion/deletion.ts'
import { getPersonOperation, searchPeopleOperation } from '#contract/people/people.ts'
import { createPostOperation, getPostOperation, listLikersOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import {
  clusterSecretKey,
  findFreePort,
  type RunningServer,
  startServer,
} from '#scripts/harness/server-process.ts'
import { runProgram } from '#scripts/run-tool.ts'
import type { Database } from '#server/database/open-database.ts'
import { erasureSteps } from '#server/features/deletion/erasure-steps.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import {
  type AccountKeys,
  findAccountKeys,
  findColumnsContainingWord,
  findColumnsNamingAccount,
  findOrphanedFiles,
} from '#tests/support/deletion/erasure-traces.ts'
import {
  createFullAccount,
  type FullAccount,
  fullAccountContent,
} from '#tests/support/deletion/full-account.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { patienceMs } from '#tests/support/wait-for.ts'
import { testPassword } from '#tests/support/world.ts'

const kills = Number(process.env.KILLS ?? 2)
const killsEach = 5
const noteMs = 400
/** More than two batches of posts and one batch of files. */
const postsEach = 60
/** Each kill needs a start and checks, and each account needs data. */
const testTimeoutMs = 600_000 + kills * 30_000
/** The steps in order, with those outside the database. */
const steps = ['email', ...erasureSteps.map(({ name }) => name), 'bytes', 'receipt']

type Deleted = FullAccount & {
  keys: AccountKeys
  receiptId: string
  storageKeys: string[]
  counts: Record<string, number>
}

let database: Database
let folders: string
let dataDir: string
let backup: string
let port: number
let server: RunningServer
const deleted: Deleted[] = []
const landed: { step: string; uncommitted: boolean }[] = []
const wrong: string[] = []

const settings = (of: Database) => ({
  DATABASE_URL: of.directUrl,
  SECRET_KEY: clusterSecretKey,
  LIMITS: 'off',
  LOG_LEVEL: 'silent',
})
/** A fixed address keeps sessions valid. */
const start = (of = database) => startServer({ dataDir, env: { ...settings(of), PORT: String(port) } })
const command = (name: string, args: string[], of: Database) =>
  runProgram(process.execPath, [`scripts/${name}.ts`, ...args], {
    env: { ...settings(of), DATA_DIR: dataDir, REDIS_URL: '', S3_ENDPOINT: '', SMTP_URL: '' },
  })
const visitor = () => createApiClient(createHttpTransport(server.url), '')

beforeAll(async () => {
  database = await createUnmigratedTestDatabase()
  folders = createNonDurableFolder('juntas-deletion-')
  dataDir = join(folders, 'data')
  backup = join(folders, 'backup')
  port = await findFreePort()
  server = await start()
  const full: FullAccount[] = []
  for (let n = 0; n < Math.ceil(kills / killsEach); n += 1) full.push(await createMember())
  expect(await command('backup', [backup], database)).toMatchObject({ status: 0 })
  for (const each of full) deleted.push(await askDeletion(each))
  for (const one of deleted) await lookFor(one)
  await server.kill9()
  await slowDown()
  await database.pool.query(`update deletions set erase_after = clock_timestamp() - interval '1 second'`)
  server = await start()
  for (const [n, each] of deleted.entries()) await eraseUnderKills(each, n)
  await vi.waitFor(
    async () => expect(await Promise.all(deleted.map(stateOf))).toEqual(deleted.map(() => 'done')),
    { timeout: testTimeoutMs },
  )
  for (const one of deleted) await lookFor(one)
  const uncommitted = landed.filter((kill) => kill.uncommitted).length
  console.log(
    `${landed.length} kills while erasing (accounts: ${deleted.length}): ${uncommitted} between the work and its commit, ` +
      `${landed.length - uncommitted} at another moment; in: ${[...new Set(landed.map(({ step }) => step))].join(', ')}`,
  )
}, testTimeoutMs)
afterAll(async () => {
  await server?.stop()
  await database?.close()
  rmSync(folders, { recursive: true, force: true })
})

let joined = 0
async function signUp(name: string) {
  joined += 1
  const username = `${name.toLowerCase()}${joined}`
  const email = `${username}@juntas.test`
  return signUpAndSignIn(createHttpTransport(server.url), { name, username, email, password: testPassword })
}

async function createMember(): Promise<FullAccount> {
  const full = await createFullAccount({ database, join: signUp })
  const picture = await createJpeg('#336699')
  for (let n = 0; n < postsEach; n += 1) {
    const imageId = await full.her.upload(picture, 'zarzamora.jpg')
    await full.her.call(createPostOperation, { ...fullAccountContent, imageId })
  }
  await full.her.call(requestExportOperation, {})
  await vi.waitFor(
    async () => expect((await full.her.call(getExportOperation, {})).export?.state).toBe('ready'),
    { timeout: testTimeoutMs },
  )
  return full
}

async function askDeletion(full: FullAccount): Promise<Deleted> {
  const { her } = full
  const keys = await findAccountKeys(database, her)
  const { username } = await her.call(getCurrentMemberOperation, {})
  const { receiptId } = await her.call(contract.requestDeletionOperation, {
    username,
    password: testPassword,
  })
  const { pool } = database
  const { rows: stored } = await pool.query<{ key: string }>(
    `select f.storage_key as key from files f where f.owner_id = $1
       and not exists (select from message_photos m where m.file_id = f.id) and not exists (select from evidence e where e.file_id = f.id)
     union all select storage_key from exports where account_id = $2`,
    [keys.member, keys.account],
  )
  const { rows: counted } = await pool.query<Record<string, number>>(
    `select (select count(*)::int from posts where creator_id = $1) as posts,
       (select count(*)::int from comments where author_id = $1 and removed_at is null) as comments,
       (select count(*)::int from post_likes where user_id = $1) + (select count(*)::int from comment_likes where user_id = $1)
         + (select count(*)::int from saves where user_id = $1)
         + (select count(*)::int from message_reactions where user_id = $1) as marks,
       (select count(*)::int from messages where sender_id = $1) as "messagesKept", 0 as "messagesTakenBack",
       count(*)::int as photos, sum(f.size)::int as bytes
     from files f where f.owner_id = $1 and not exists (select from message_photos m where m.file_id = f.id)`,
    [keys.member],
  )
  const storageKeys = stored.map(({ key }) => key)
  expect(storageKeys.length).toBeGreaterThan(postsEach)
  expect(storageKeys.filter((key) => !isStored(key))).toEqual([])
  return { ...full, keys, receiptId, storageKeys, counts: counted[0] ?? {} }
}

const isStored = (key: string) => existsSync(join(dataDir, 'files', key.slice(0, 2), key))

const stateOf = async ({ receiptId }: Deleted) =>
  (await visitor().call(contract.getReceiptOperation, { receiptId })).state

/** Slows recording down, so that kills interrupt uncommitted batches. */
async function slowDown(): Promise<void> {
  await database.pool.query(`
    create function note_slowly() returns trigger language plpgsql as $$
      begin perform pg_sleep(${noteMs / 1000}); return new; end $$;
    create trigger note_slowly before update on deletions for each row when (old.state = 'erasing')
      execute function note_slowly()`)
}

async function eraseUnderKills(one: Deleted, n: number): Promise<void> {
  const planned = Math.min(killsEach, kills - n * killsEach)
  // Shifted for each account, so that together the kills hit every step.
  const shift = (n * 0.37 + 0.9) % 1
  for (let round = 0; round < planned; round += 1) {
    await waitForStep(one, Math.floor(((round + shift) / planned) * steps.length))
    await pause(momentOf(n * killsEach + round))
    await server.kill9()
    // The killed server's transaction runs until PostgreSQL notices.
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    )
    const { state, step } = await readProgress(one)
    if (state === 'erasing') landed.push({ step: steps[step] as string, uncommitted: rows.length > 0 })
    server = await start()
    await lookFor(one)
  }
}

/** Milliseconds before each kill, the same in every run. They fall into the pause, the work and the recording. */
const momentOf = (round: number) => [300, 65, 120, 0, 200, 55, 400, 75, 20, 90][round % 10] as number

async function readProgress({ receiptId }: Deleted): Promise<{ state: string; step: number }> {
  const { rows } = await database.pool.query('select state, step from deletions where public_id = $1', [
    receiptId,
  ])
  return rows[0]
}

async function waitForStep(one: Deleted, step: number): Promise<void> {
  for (const deadline = Date.now() + patienceMs; ; await pause(3)) {
    const found = await readProgress(one)
    if (found.state === 'done' || (found.state === 'erasing' && found.step >= step)) return
    if (Date.now() > deadline) throw new Error(`the erasure stands still in ${steps[found.step]}`)
  }
}

async function lookFor(one: Deleted): Promise<void> {
  wrong.push(...(await findSightings(one)))
  if ((await stateOf(one)) === 'done') wrong.push(...(await findLeft(database, one)))
  for (const { invariant, concerns } of await findBrokenDatabaseInvariants(database))
    wrong.push(`${invariant}: ${concerns}`)
}

async function findSightings({
  her,
  bea,
  cleo,
  post,
  imageId,
  kept,
  conversation,
}: FullAccount): Promise<string[]> {
  const [profile, content, picture, own, people, likers, comments, conversations] = await Promise.all([
    bea.ask(getPersonOperation, { personId: her.id }),
    cleo.ask(getPostOperation, { postId: post }),
    bea.request('GET', `/v1/files/${imageId}/content`),
    her.ask(getCurrentMemberOperation, {}),
    bea.call(searchPeopleOperation, { term: 'Zarzamora' }),
    bea.call(listLikersOperation, { postId: kept }),
    cleo.call(listCommentsOperation, { postId: kept }),
    bea.call(listConversationsOperation, {}),
  ])
  // Bea keeps the conversation without the picture and the link to the profile.
  const other = conversations.documents.find(({ $id }) => $id === conversation)?.other
  const sightings = {
    profile: profile.status !== 404,
    post: content.status !== 404,
    picture: picture.status !== 404,
    session: own.status !== 401,
    search: people.documents.length > 0,
    likers: likers.documents.some(({ $id }) => $id === her.id),
    comments: /zarzamora/i.test(JSON.stringify(comments)),
    conversation: other?.visible !== false || other.imageId !== null,
  }
  return Object.entries(sightings).flatMap(([name, seen]) => (seen ? [`${her.email} is seen: ${name}`] : []))
}

async function findLeft(of: Database, { her, keys, storageKeys }: Deleted): Promise<string[]> {
  const left = [...(await findColumnsNamingAccount(of, keys)), ...storageKeys.filter(isStored)]
  return left.map((place) => `${her.email} is left: ${place}`)
}

test('DEL-11 an erasure that is killed repeatedly continues, hides the member meanwhile and keeps all invariants', () => {
  expect(landed).toHaveLength(kills)
  expect(wrong).toEqual([])
})

test('DEL-09 after a repeatedly killed erasure no row, byte or word of the member remains, except what others keep', async () => {
  for (const one of deleted) expect(await findLeft(database, one)).toEqual([])
  expect(await findOrphanedFiles(database, dataDir)).toEqual([])
  for (const { her } of deleted) expect(await findColumnsContainingWord(database, her.email)).toEqual([])
  expect(await findColumnsContainingWord(database, 'zarzamora')).toEqual(placesKept)
})

/** These columns keep the word: messages to Bea, a report's evidence, and for thirty days the username's skeleton. */
const placesKept = [
  ...['evidence.snapshot', 'held_usernames.username_skeleton'],
  ...['messages.content', 'messages.content_folded'],
]

test('DEL-12 after a repeatedly killed erasure the receipt is signed and counts everything once', async () => {
  for (const { receiptId, counts } of deleted) {
    const { receipt } = await visitor().call(contract.getReceiptOperation, { receiptId })
    expect(receipt?.counts).toMatchObject(counts)
    const { signed = '' } = receipt ?? {}
    expect(await visitor().call(contract.checkReceiptOperation, { signed })).toEqual({ valid: true })
  }
  const ties = await Promise.all(
    deleted.map(
      async ({ receiptId }) =>
        (await visitor().call(contract.getReceiptOperation, { receiptId })).receipt?.counts.ties,
    ),
  )
  expect(new Set(ties).size).toBe(1)
})

test('DEL-14 restoring an older backup erases the deleted accounts again', {
  timeout: testTimeoutMs,
}, async () => {
  await server.stop()
  const target = await createUnmigratedTestDatabase()
  try {
    const restored = await command('restore', [backup, '--keep-sign-ins'], target)
    expect(restored).toMatchObject({ status: 0, output: expect.stringContaining('All invariants hold.') })
    expect(restored.output).toContain(
      deleted.length === 1
        ? '1 account that was deleted after the backup has been deleted again.'
        : `${deleted.length} accounts that were deleted after the backup have been deleted again.`,
    )
    server = await start(target)
    for (const one of deleted) {
      expect(await findSightings(one)).toEqual([])
      expect(await findLeft(target, one)).toEqual([])
    }
    expect(await findColumnsContainingWord(target, 'zarzamora')).toEqual(placesKept)
    expect(await findOrphanedFiles(target, dataDir)).toEqual([])
    expect(await findBrokenDatabaseInvariants(target)).toEqual([])
  } finally {
    await server.stop()
    await target.close()
  }
})
