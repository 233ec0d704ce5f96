/** Full run: `FILES=20000 KILLS=20 npm test -- durability/file-move`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { type LocalS3Server, startLocalS3Server } from '#scripts/harness/local-s3-server.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { clusterSecretKey, type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import { runProgram } from '#scripts/run-tool.ts'
import { type BlobPlace, openBlobPlaces } from '#server/blobs/open-blob-store.ts'
import { readConfig } from '#server/config.ts'
import { keysPerBatch } from '#server/files/move/copy-stored-files.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { testPassword } from '#tests/support/world.ts'

const files = Number(process.env.FILES ?? 200)
const kills = Number(process.env.KILLS ?? 2)
/** Without pauses, the members' requests would take the processor from the command. */
const betweenLooksMs = 20
const betweenChangesMs = 300
const testTimeoutMs = 600_000 + files * 200 + kills * 60_000

let dataDir: string
let s3Server: LocalS3Server
let database: Awaited<ReturnType<typeof createUnmigratedTestDatabase>>
let nodes: RunningServer[]
let hana: MemberClient
const hashes = new Map<string, string>()
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const settings = (place: BlobPlace) => ({
  ...s3Server.env,
  DATABASE_URL: database.directUrl,
  FILES_STORE: place,
})
const start = (place: BlobPlace) =>
  startServer({ dataDir, env: { ...settings(place), LIMITS: 'off', LOG_LEVEL: 'silent' } })

beforeAll(async () => {
  dataDir = createNonDurableFolder('juntas-move-')
  s3Server = await startLocalS3Server()
  database = await createUnmigratedTestDatabase()
  nodes = [await start('disk'), await start('disk')]
  const given = { name: 'Hana', username: 'hana', email: 'hana@juntas.test', password: testPassword }
  hana = await signUpAndSignIn(createHttpTransport(nodes[0]?.url as string), given)
  await storeFiles()
  await addGate()
}, testTimeoutMs)
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await database.close()
  await s3Server.end()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Each file has one variant. The rows are as after an upload. */
async function storeFiles(): Promise<void> {
  const rows = Array.from({ length: files }, (_, n) => {
    const key = sha256(Buffer.from(`key ${n}`)).slice(0, 32)
    const bytes = Buffer.from(`photo ${n} `.repeat(40))
    const folder = join(dataDir, 'files', key.slice(0, 2), key)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'original'), bytes)
    writeFileSync(join(folder, '64.webp'), `small ${n}`)
    hashes.set(`kill${n}`, sha256(bytes))
    return { id: `kill${n}`, key, sha256: sha256(bytes), size: bytes.length }
  })
  await database.pool.query(
    `insert into files (public_id, owner_id, state, name, storage_key, announced_size, size, chunks_total, mime_type, signature,
       sha256, width, height, thumbhash)
     select f.id, u.id, 'ready', 'photo.jpg', f.key, f.size, f.size, 1, 'image/jpeg', repeat('0', 32), decode(f.sha256, 'hex'), 100,
       100, '\\x0000000000'
     from users u, json_to_recordset($1) as f (id text, key text, sha256 text, size int)`,
    [JSON.stringify(rows)],
  )
}

/** An advisory lock that nothing else uses. */
const gateLock = 229_000

/** The command waits at its n-th change of `file_move` while the test holds the lock. */
async function addGate(): Promise<void> {
  await database.pool.query(`
    create table gate (stops_at int not null);
    insert into gate values (2147483647);
    create sequence gate_passes;
    create function pass_gate() returns trigger language plpgsql as $$ begin
      if nextval('gate_passes') = (select stops_at from gate) then
        perform pg_advisory_xact_lock_shared(${gateLock});
      end if;
      return new;
    end $$;
    create trigger gate before update on file_move for each row execute function pass_gate();`)
}

const command = (place: BlobPlace, args: string[]) => ({
  args: ['scripts/files.ts', ...args, '--speed', '1000'],
  env: {
    ...ownPath(),
    ...settings(place),
    DATA_DIR: dataDir,
    SECRET_KEY: clusterSecretKey,
    JUNTAS_ENV_FILE: 'off',
  },
})
const ownPath = () => ({ PATH: process.env.PATH, HOME: process.env.HOME })

/**
 * @param whileWorking kills just after the step begins, otherwise before
 * @returns false if the command finished earlier
 */
async function killAtStep(
  place: BlobPlace,
  args: string[],
  step: number,
  whileWorking: boolean,
): Promise<boolean> {
  await using gate = await holdGate()
  await database.pool.query(`select setval('gate_passes', 1, false)`)
  await database.pool.query('update gate set stops_at = $1', [step])
  const child = run(place, args)
  const ended = once(child, 'exit')
  await gate.waitForCommandOr(() => child.exitCode !== null)
  if (child.exitCode !== null) return false
  if (whileWorking) await gate.open()
  child.kill('SIGKILL')
  await ended
  await gate.open()
  await gate.waitForLeaving()
  return true
}

function run(place: BlobPlace, args: string[]): ChildProcess {
  const given = command(place, args)
  return spawn(process.execPath, given.args, { env: given.env, stdio: 'ignore' })
}

async function holdGate() {
  const holder = new Client({ connectionString: database.directUrl })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [gateLock])
  const count = async (condition: string) =>
    (
      await holder.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'juntas files' and ${condition}`,
      )
    ).rowCount
  let isOpen = false
  return {
    waitForCommandOr: (isOver: () => boolean) =>
      expect
        .poll(async () => isOver() || (await count(`wait_event = 'advisory'`)) === 1, {
          timeout: testTimeoutMs,
          interval: 100,
        })
        .toBe(true),
    async open() {
      if (isOpen) return
      isOpen = true
      await holder.query('select pg_advisory_unlock($1)', [gateLock])
      // Gives a command that is still alive time to continue.
      await holder.query('select count(*) from files')
    },
    waitForLeaving: () => expect.poll(() => count('true'), { timeout: testTimeoutMs }).toBe(0),
    async [Symbol.asyncDispose]() {
      await database.pool.query('update gate set stops_at = 2147483647')
      await holder.end()
    },
  }
}

type Looking = { looks: number; missing: string[]; wrong: string[] }

async function lookDuring(until: Promise<unknown>): Promise<Looking> {
  const seen: Looking = { looks: 0, missing: [], wrong: [] }
  let over = false
  const end = () => {
    over = true
  }
  until.then(end, end)
  const at = (turn: number) =>
    createApiClient(createHttpTransport(nodes[turn % 2]?.url as string), hana.cookie)
  const look = async (first: number) => {
    for (let turn = first; !over; turn += 1) {
      await pause(betweenLooksMs)
      const ids = [...hashes.keys()]
      const id = ids[Math.floor(Math.random() * ids.length)] as string
      // A killed node refuses the connection. A load balancer would use another node.
      const answer = await at(turn)
        .request('GET', `${appwriteFilesPath}/${id}/view`)
        .catch(() => null)
      if (!answer || !hashes.has(id)) continue
      seen.looks += 1
      if (answer.status !== 200) seen.missing.push(`${id}: ${answer.status}`)
      else if (sha256(answer.raw) !== hashes.get(id)) seen.wrong.push(id)
    }
  }
  const change = async () => {
    for (let turn = 0; !over; turn += 1) {
      await pause(betweenChangesMs)
      try {
        const color = `#${(turn % 4096).toString(16).padStart(6, '0')}`
        const id = await at(turn).upload(await createJpeg(color))
        const { raw } = await at(turn + 1).request('GET', `${appwriteFilesPath}/${id}/view`)
        hashes.set(id, sha256(raw))
        const gone = [...hashes.keys()][turn % hashes.size] as string
        hashes.delete(gone)
        await at(turn).request('DELETE', `${appwriteFilesPath}/${gone}`)
      } catch {}
    }
  }
  await Promise.all([look(0), look(1), change()])
  await until
  return seen
}

async function restart(index: number, place: BlobPlace, by: 'kill9' | 'stop'): Promise<void> {
  await nodes[index]?.[by]()
  nodes[index] = await start(place)
}

/** Both nodes prefer `place`. @returns the number of kills */
async function moveUnderKills(place: BlobPlace): Promise<number> {
  for (const index of [0, 1]) await restart(index, place, 'stop')
  const args = ['move', '--to', place, '--delete-source']
  // Each batch makes two changes for copying and two for deleting; each page makes one for verifying.
  const changes = (files / keysPerBatch) * 4 + files / 200
  const step = Math.floor(changes / (kills / 2 + 1))
  let killed = 0
  while (killed < kills / 2) {
    if (!(await killAtStep(place, args, step + (killed % 3), killed % 2 === 1))) break
    killed += 1
    if (killed % 3 === 0) await restart(killed % 2, place, 'kill9')
  }
  await endInterruptedUploads()
  await succeed(place, args)
  // Deletes files whose deletion a kill interrupted.
  await succeed(place, ['clean-up', '--unused'])
  return killed
}

/** The server would delete them a day later. */
async function endInterruptedUploads(): Promise<void> {
  const { rows } = await database.pool.query<{ key: string }>(
    `select storage_key as key from files where state = 'uploading' and updated_at < clock_timestamp() - interval '5 seconds'`,
  )
  const places = await openBlobPlaces(readConfig({ ...settings('s3'), DATA_DIR: dataDir }))
  for (const { key } of rows) for (const store of Object.values(places)) await store?.remove(key)
  await database.pool.query('delete from files where storage_key = any ($1)', [rows.map(({ key }) => key)])
}

async function succeed(place: BlobPlace, args: string[]): Promise<void> {
  const { status, output } = await runFiles(place, args)
  expect(status, output).toBe(0)
}

async function runFiles(place: BlobPlace, args: string[]) {
  const given = command(place, args)
  return runProgram(process.execPath, given.args, { env: given.env as Record<string, string> })
}

async function keysIn(place: BlobPlace): Promise<string[]> {
  const places = await openBlobPlaces(readConfig({ ...settings(place), DATA_DIR: dataDir }))
  const keys: string[] = []
  for await (const { key } of (places[place] as NonNullable<(typeof places)['s3']>).list()) keys.push(key)
  return keys
}

const keysOfRows = async () =>
  (await database.pool.query<{ key: string }>('select storage_key as key from files order by 1')).rows.map(
    ({ key }) => key,
  )

test('OPS-10 files move to S3 and back under repeated kills, and members miss no file', {
  timeout: testTimeoutMs,
}, async () => {
  let killed = 0
  const looked: Looking[] = []
  for (const place of ['s3', 'disk'] as const) {
    const moving = moveUnderKills(place)
    looked.push(await lookDuring(moving))
    killed += await moving
    const other = place === 's3' ? 'disk' : 's3'
    expect(await keysIn(other)).toEqual([])
    // Files deleted within the last hour keep their row without bytes.
    const rows = await keysOfRows()
    expect((await keysIn(place)).filter((key) => !rows.includes(key))).toEqual([])
    expect(await runFiles(place, ['verify'])).toMatchObject({
      status: 0,
      output: expect.stringContaining('0 missing, 0 wrong'),
    })
  }
  const sum = (of: (each: Looking) => number) => looked.reduce((total, each) => total + of(each), 0)
  console.log(
    `${files} files moved to S3 and back under ${killed} kills; ${sum(({ looks }) => looks)} looks: ` +
      `${sum(({ missing }) => missing.length)} missing, ${sum(({ wrong }) => wrong.length)} wrong`,
  )
  expect(looked.flatMap(({ missing }) => missing)).toEqual([])
  expect(looked.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(killed).toBe(kills)
})
