import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { openDiskBlobStore } from '../blobs/disk-blob-store.ts'
import type { Database } from '../database/open-database.ts'
import type { FileContext } from '../files/stored-files.ts'
import { createImageProcessor } from '../images/image-processor.ts'
import { createServerLogger } from '../log.ts'
import { purgeExpiredRows } from './retention.ts'

const root = mkdtempSync(join(tmpdir(), 'juntas-sweeps-'))
const images = createImageProcessor()
let database: Database
let context: FileContext

beforeAll(async () => {
  database = await createTestDatabase()
  context = { database, blobs: await openDiskBlobStore(root), images, log: createServerLogger('silent') }
  await database.pool.query(`insert into accounts (public_id) values ('ana')`)
})
afterAll(async () => {
  images.close()
  await database.close()
  rmSync(root, { recursive: true })
})

const query = async (text: string) => (await database.pool.query(text)).rows
const ids = async (table: string, column = 'public_id') =>
  (await query(`select ${column} as id from ${table} order by 1`)).map(({ id }) => id)

const session = (id: string, created: string, seen: string) =>
  query(`
    insert into sessions (public_id, account_id, secret_hash, provider, created_at, last_seen_at, expires_at)
    select '${id}', id, sha256('${id}'), 'email', now() - interval '${created}', now() - interval '${seen}',
      now() - interval '${created}' + interval '90 days' from accounts`)

test('changes older than a week, ids older than a day and ended sessions are purged, and newer rows stay', async () => {
  await session('living', '1 day', '1 hour')
  await session('expired', '91 days', '1 hour')
  await session('idle', '20 days', '15 days')
  await query('delete from changes')
  await query(`
    insert into changes (collection, kind, row_id, public_id, created_at)
    values ('posts', 'update', 1, 'old', now() - interval '8 days'), ('posts', 'update', 1, 'young', now() - interval '6 days')`)
  await query(`
    insert into deleted_rows (collection, public_id, row_id, created_at, updated_at, deleted_at)
    values ('posts', 'old', 1, now(), now(), now() - interval '25 hours'),
      ('posts', 'young', 2, now(), now(), now() - interval '23 hours')`)
  await query(`
    insert into tokens (public_id, account_id, kind, secret_hash, created_at, expires_at)
    select 'old', id, 'recovery', sha256('a'), now() - interval '2 hours', now() - interval '1 hour' from accounts
    union all select 'young', id, 'recovery', sha256('b'), now(), now() + interval '1 hour' from accounts`)
  await purgeExpiredRows(context)
  expect(await ids('sessions')).toEqual(['living'])
  expect(await ids('deleted_rows')).toEqual(['young'])
  expect(await ids('tokens')).toEqual(['young'])
  // The outbox notifies sockets of both ended sessions.
  expect(await ids('changes')).toEqual(['expired', 'idle', 'young'])
})

test("SESS-11 a member's log keeps only the network of an address after a week, and nothing after a year", async () => {
  const addresses = `array['203.0.113.77', '2001:db8:1:2:3:4:5:6', '::1', null]::inet[]`
  for (const age of ['6 days', '8 days', '20 days', '366 days']) {
    await query(`
      insert into account_events (account_id, event, ip, created_at)
      select a.id, 'user.update', unnest(${addresses}), now() - interval '${age}' from accounts a`)
  }
  const cut = ['203.0.113.0/24', '2001:db8:1::/48', '::/48', null]
  for (let times = 0; times < 2; times += 1) {
    await purgeExpiredRows(context)
    const rows = await query(`select ip::text from account_events order by created_at desc, id`)
    const whole = ['203.0.113.77/32', '2001:db8:1:2:3:4:5:6/128', '::1/128', null]
    expect(rows.map(({ ip }) => ip)).toEqual([...whole, ...cut, ...cut])
  }
})

test('one cleanup removes a backlog of many batches, also with several nodes', async () => {
  await query(`
    insert into changes (collection, kind, row_id, public_id, created_at)
    select 'posts', 'update', n, 'p' || n, now() - interval '8 days' from generate_series(1, 9000) n`)
  await Promise.all([purgeExpiredRows(context), purgeExpiredRows(context), purgeExpiredRows(context)])
  await purgeExpiredRows(context)
  const [left] = await query(
    `select count(*)::int as old from changes where created_at < now() - interval '7 days'`,
  )
  expect(left).toEqual({ old: 0 })
})
