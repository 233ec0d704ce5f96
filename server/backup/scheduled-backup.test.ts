import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { runProgram } from '#scripts/run-tool.ts'
import { readConfig } from '#server/config.ts'
import { createServerLogger } from '#server/log.ts'
import { startBackupSchedule } from '#server/ops/backup-schedule.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { generateBackupIdentity, openBackupIdentity } from './backup-encryption.ts'
import { readBackupState } from './backup-records.ts'
import { readBackupManifest } from './manifest.ts'
import { findLastRuns, isBackupDue, listFinishedBackups, runScheduledBackup } from './scheduled-backup.ts'
import { verifyBackup } from './verify-backup.ts'

const log = createServerLogger('silent')
let w: TestWorld
let ana: MemberClient
let db: Client
let folder: string
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  await publish('#0a5c7a')
  db = new Client({ connectionString: w.database.directUrl })
  await db.connect()
})
afterAll(async () => {
  await db.end()
  await w.end()
})
beforeEach(async () => {
  await db.query('delete from backup_schedule; delete from backups')
  folder = createNonDurableFolder('juntas-scheduled-')
  return () => rmSync(folder, { recursive: true, force: true })
})

const publish = async (color: string) =>
  ana.call(createPostOperation, {
    ...{ caption: 'Un día', location: 'Vigo', tags: [] },
    imageId: await ana.upload(await createJpeg(color)),
  })

const settings = (changed: Record<string, string> = {}) => ({
  DATABASE_URL: w.database.directUrl,
  DATA_DIR: w.dataDir,
  BACKUP_SCHEDULE: 'daily 03:00',
  BACKUP_FOLDER: folder,
  // By the tests' clock in 2030, a backup made today is old.
  BACKUP_KEEP_DAYS: '3650',
  ...changed,
})
const day = (n: number, time = '03:00:00') => new Date(`2030-01-${String(n).padStart(2, '0')}T${time}`)
const run = (now: Date, changed: Record<string, string> = {}) =>
  runScheduledBackup(readConfig(settings(changed)), log, now)
/** Starts the schedule. The first backup runs at the next scheduled time. */
const begin = () => run(day(1))
const finished = () => listFinishedBackups(folder)

test('OPS-17 a schedule is a time of the day or a cron pattern, and anything else is refused', () => {
  const scheduleOf = (BACKUP_SCHEDULE: string) =>
    readConfig({ BACKUP_SCHEDULE, BACKUP_FOLDER: '/b' }).backupSchedule
  expect(scheduleOf('daily 03:05')).toBe('5 3 * * *')
  expect(scheduleOf('30 2 * * 0')).toBe('30 2 * * 0')
  for (const wrong of ['daily 24:00', 'nightly', '* * *', '0 0 31 2 *', '1 2 3 4 5 6'])
    expect(() => scheduleOf(wrong)).toThrow('BACKUP_SCHEDULE')
  expect(() => readConfig({ BACKUP_SCHEDULE: 'daily 03:00' })).toThrow('BACKUP_FOLDER')
  expect(() => readConfig(settings({ BACKUP_KEEP_DAYS: '0' }))).toThrow('BACKUP_KEEP_DAYS')
  expect(() => readConfig({ BACKUP_RECIPIENT: 'ana@juntas.test' })).toThrow('BACKUP_RECIPIENT')
  expect(findLastRuns('0 3 * * *', day(2))).toEqual([day(2), day(1)])
  expect(findLastRuns('0 3 * * *', day(2, '02:59:58'))[0]).toEqual(day(1))
})

test('OPS-17 a scheduled backup runs once, and is verified and recorded', async () => {
  expect(await begin()).toBe('not due')
  expect(await run(day(2, '02:00:00'))).toBe('not due')
  expect(await run(day(2))).toBe('made')
  expect(await run(day(2, '09:00:00'))).toBe('not due')
  const [name = ''] = await finished()
  expect(readdirSync(folder)).toEqual([name])
  const { pictures, recipients } = await verifyBackup(join(folder, name))
  expect([pictures.count, recipients]).toEqual([1, undefined])
  const { rows } = await db.query(
    'select name, scheduled, files::int, encrypted, verified, rows > 0 and bytes > 0 as full from backups',
  )
  expect(rows).toEqual([{ name, scheduled: true, files: 1, encrypted: false, verified: true, full: true }])
})

test('OPS-17 only one of several nodes makes the scheduled backup', async () => {
  await begin()
  const results = await Promise.all([run(day(2)), run(day(2)), run(day(2))])
  expect(results.filter((result) => result === 'made')).toHaveLength(1)
  expect(results.every((result) => ['made', 'elsewhere', 'not due'].includes(result))).toBe(true)
  expect(await finished()).toHaveLength(1)
})

test('OPS-17 a failed backup is recorded, deletes no older backup and is repeated later', async () => {
  await begin()
  await run(day(2), { BACKUP_KEEP: '1' })
  const before = await finished()
  const elsewhere = join(folder, 'a-file')
  writeFileSync(elsewhere, '')
  expect(await run(day(3), { BACKUP_FOLDER: elsewhere, BACKUP_KEEP: '1' })).toBe('failed')
  expect(await readBackupState(db)).toMatchObject({
    failedAt: expect.any(Date),
    error: expect.stringMatching(/EEXIST|ENOTDIR/),
  })
  const metrics = await w.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
  expect(metrics.payload).toMatch(/^juntas_backup_failed 1$/m)
  expect(await finished()).toEqual(before)
  rmSync(elsewhere)
  expect(await run(day(3, '03:05:00'), { BACKUP_KEEP: '1' })).toBe('not due')
  expect(await run(day(3, '03:10:00'), { BACKUP_KEEP: '1' })).toBe('made')
  expect(await readBackupState(db)).toMatchObject({ failedAt: null, error: null })
  expect(await finished()).toHaveLength(1)
  expect(await finished()).not.toEqual(before)
})

test('OPS-17 after four failed attempts the server waits for the next scheduled time', async () => {
  await begin()
  const wrong = { BACKUP_FOLDER: '/dev/null/nowhere' }
  const times = ['03:00:00', '03:10:00', '03:20:00', '03:30:00', '03:40:00']
  const results = []
  for (const time of times) results.push(await run(day(2, time), wrong))
  expect(results).toEqual(['failed', 'failed', 'failed', 'failed', 'not due'])
  expect(await run(day(3))).toBe('made')
})

test('OPS-17 an interrupted backup does not count, and the next attempt continues it', async () => {
  await begin()
  await run(day(2))
  const [name = ''] = await finished()
  // Backups as a killed node leaves them: without a manifest, one for the current time and one for another day.
  await db.query(`update backup_schedule set due_at = $1, attempts = 1, next_attempt_at = $2`, [
    day(3),
    day(3, '03:10:00'),
  ])
  const half = (of: Date) =>
    join(folder, `juntas-${of.toISOString().slice(0, 19).replaceAll(':', '-')}Z.unfinished`)
  mkdirSync(join(half(day(3)), 'database'), { recursive: true })
  mkdirSync(join(half(day(1)), 'files'), { recursive: true })
  expect(await finished()).toEqual([name])
  expect(await run(day(3, '03:10:00'))).toBe('made')
  expect(await finished()).toHaveLength(2)
  expect(readdirSync(folder).filter((each) => each.endsWith('.unfinished'))).toEqual([])
})

test('OPS-17 old backups are deleted by count and by age, and the newest is always kept', async () => {
  await begin()
  for (const n of [2, 3, 4, 5]) await run(day(n), { BACKUP_KEEP: '2' })
  expect((await finished()).map((name) => name.slice(0, 17))).toEqual([
    'juntas-2030-01-05',
    'juntas-2030-01-04',
  ])
  writeFileSync(join(folder, 'letter.txt'), 'Querida Ana')
  // All older backups are deleted, including the one made just before.
  await run(day(6), { BACKUP_KEEP_DAYS: '1' })
  expect((await finished()).map((name) => name.slice(0, 17))).toEqual(['juntas-2030-01-06'])
  expect(readdirSync(folder)).toContain('letter.txt')
})

test('OPS-17 a backup links the pictures of an earlier backup, unless they are encrypted for another key', async () => {
  const { identity, recipient } = await generateBackupIdentity()
  const key = join(folder, 'key.txt')
  writeFileSync(key, identity)
  const pictureOf = async (name = '') => {
    const path = listFilePathsBelow(join(folder, name)).find((each) =>
      /\/original(\.age)?$/.test(each),
    ) as string
    return { inode: statSync(path).ino, isEncrypted: path.endsWith('.age') }
  }
  await begin()
  await run(day(2))
  await run(day(3))
  await run(day(4), { BACKUP_RECIPIENT: recipient })
  await run(day(5), { BACKUP_RECIPIENT: recipient })
  const names = (await finished()).reverse()
  const [second, third, fourth, fifth] = await Promise.all(names.map(pictureOf))
  expect(third).toEqual(second)
  expect(fourth?.isEncrypted).toBe(true)
  expect(fifth).toEqual(fourth)
  await verifyBackup(join(folder, names[3] as string), { decrypt: await openBackupIdentity(key) })
  expect((await readBackupManifest(join(folder, names[3] as string))).recipients).toEqual([recipient])
})

test('OPS-17 the server starts a due backup in a separate process', async () => {
  const config = readConfig(settings({ BACKUP_SCHEDULE: '* * * * *' }))
  await db.query('insert into backup_schedule (due_at) values ($1)', [
    day(1).toISOString().replace('2030', '2020'),
  ])
  expect(await isBackupDue(db, '* * * * *', new Date())).toBe(true)
  let runs = 0
  const job = await startBackupSchedule({
    config,
    log,
    database: w.database,
    async run() {
      runs += 1
    },
  })
  await expect.poll(() => runs).toBe(1)
  await job?.close()
  const { status, output } = await runProgram(process.execPath, ['server/ops/scheduled-backup-process.ts'], {
    env: { ...settings({ BACKUP_SCHEDULE: '* * * * *' }), JUNTAS_ENV_FILE: 'off', LOG_LEVEL: 'warn' },
  })
  expect([status, output]).toEqual([0, ''])
  const [name = ''] = await finished()
  expect(existsSync(join(folder, name, 'manifest.json'))).toBe(true)
})

test('OPS-17 a server does not start with an invalid public key', async () => {
  const config = readConfig(settings({ BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` }))
  await expect(startBackupSchedule({ config, log, database: w.database })).rejects.toThrow(
    'is not a public key of age',
  )
})
