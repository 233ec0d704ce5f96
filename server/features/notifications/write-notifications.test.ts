/** The tests run without a server, because its own notification job would interfere. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/database/open-database.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import type { LoggedChange } from '#server/store/change-log-reader.ts'
import { createTestDatabase, timeoutsWithShortLockWait } from '#tests/support/database.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { createNotificationWriter } from './write-notifications.ts'

let database: Database
let logged: LoggedChange[]
beforeEach(async () => {
  database = await createTestDatabase(timeoutsWithShortLockWait)
  logged = []
})
afterEach(() => database.close())

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
const createWriter = () => createNotificationWriter(database, (changes) => logged.push(...changes))

const insertMembers = async (name: string, count: number): Promise<number[]> => {
  const rows = await query(
    `with made as (
       insert into accounts (public_id, email) select $1 || n, $1 || n || '@example.org' from generate_series(1, $2::int) n
       returning id, public_id
     )
     insert into users (public_id, account_id, name, username) select public_id, id, 'Ana', public_id from made returning id`,
    [name, count],
  )
  return rows.map(({ id }) => Number(id))
}

const follow = async (follower: number, following: readonly number[]) => {
  for (const one of following) {
    await query(
      `with made as (
         insert into follows (public_id, follower_id, following_id) values (md5(random()::text), $1, $2) returning id, public_id
       ) insert into changes (collection, kind, row_id, public_id) select 'follows', 'create', id, public_id from made`,
      [follower, one],
    )
  }
}

const notifiedMembers = async () =>
  (await query('select user_id from notifications order by user_id')).map(({ user_id }) => Number(user_id))

test('NOT-14 a notification round that cannot finish is halved until the other members are notified', async () => {
  const [fan = 0] = await insertMembers('fan', 1)
  const people = await insertMembers('ana', 8)
  const last = people.at(-1)
  await query('insert into notification_marks (user_id) values ($1)', [last])
  await follow(fan, people)
  const write = createWriter()
  const holding = await database.pool.connect()
  try {
    await holding.query('begin')
    await holding.query('select from notification_marks where user_id = $1 for update', [last])
    await expect(write()).rejects.toMatchObject({ code: '55P03' })
    expect(await notifiedMembers()).toEqual([])
    expect(await write()).toBe('behind')
    expect(await notifiedMembers()).toEqual(people.slice(0, 4))
    await holding.query('commit')
  } finally {
    holding.release()
  }
  expect(await write()).toBe('done')
  expect(await notifiedMembers()).toEqual(people)
})

test('a notification round notifies many members with few outbox rows, which name nobody', async () => {
  const [fan = 0] = await insertMembers('fan', 1)
  const people = await insertMembers('ana', 1_200)
  await query(
    `with made as (
       insert into follows (public_id, follower_id, following_id) select 'f' || id, $1, id from unnest($2::bigint[]) as p (id)
       returning id, public_id
     ) insert into changes (collection, kind, row_id, public_id) select 'follows', 'create', id, public_id from made`,
    [fan, people],
  )
  expect(await createWriter()()).toBe('done')
  expect(logged.map(({ memberIds }) => memberIds?.length)).toEqual([499, 500, 201])
  expect(logged.flatMap(({ memberIds }) => memberIds ?? []).toSorted((a, b) => a - b)).toEqual(people)
  expect(new Set(logged.map(({ publicId, accountId }) => `${publicId} ${accountId}`))).toEqual(
    new Set(['notifications null']),
  )
})

test('NOT-16 group posts without push use no capacity of a notification round', async () => {
  const [author = 0, reader = 0] = await insertMembers('ana', 2)
  for (const n of [1, 2, 3]) {
    await query(
      `with made as (
         insert into groups (public_id, name, admin_id) values ('g' || $1::int, 'Mar', $2) returning id
       ), joined as (
         insert into group_members (public_id, group_id, user_id, role)
         select 'm' || $1::int || member.role, made.id, member.id, member.role
         from made, (values ($2::bigint, 'admin'), ($3::bigint, 'member')) as member (id, role)
       ), picture as (
         insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
           signature, sha256, width, height, thumbhash)
         values ('p' || $1::int, $2, 'attached', 'post', 'foto.jpg', md5(random()::text), 9, 9, 1, 'image/jpeg',
           md5(random()::text), sha256('x'), 4, 3, 'pixels'::bytea) returning id
       ), posted as (
         insert into posts (public_id, creator_id, caption, location, image_id, group_id)
         select 'p' || $1::int, $2, 'x', 'x', picture.id, made.id from picture, made returning id, public_id
       ) insert into changes (collection, kind, row_id, public_id) select 'posts', 'create', id, public_id from posted`,
      [n, author, reader],
    )
  }
  await query(`update group_members set created_at = created_at - interval '1 hour'`)
  await query(`update groups set member_count = 30000 where public_id in ('g1', 'g2')`)
  expect(await createWriter()()).toBe('done')
  expect(await notifiedMembers()).toEqual([reader])
})

test('a notification round has one query plan for any number of changes, because no array length reaches the planner', async () => {
  const [fan = 0, ...people] = await insertMembers('ana', 9)
  const write = createWriter()
  await write()
  await follow(fan, people)
  const { statements } = await captureSqlStatements(write)
  const writing = statements.filter((text) => text.includes('insert into notifications '))
  expect(writing).toHaveLength(1)
  expect(writing[0]?.match(/\(select \$\d+::\w+\[\]\)/g)?.length).toBeGreaterThan(0)
  // Outside a subquery, PostgreSQL may make a new plan for each array length.
  expect(writing[0]?.match(/(?<!\(select )\$\d+::\w+\[\]/g) ?? []).toEqual([])
})

test('a notification round reads no outbox entries that were read before, however many there are', async () => {
  const [fan = 0, ...people] = await insertMembers('ana', 12)
  for (let batch = 0; batch < 5; batch += 1) {
    await query(
      `insert into changes (collection, kind, row_id, public_id)
       select 'saves', 'update', n, 'ana' || n from generate_series(1, 4000) n`,
    )
  }
  const write = createWriter()
  await follow(fan, people.slice(0, 1))
  expect(await write()).toBe('done')
  // While older transactions run, the job reads changes again.
  await waitFor(async () => {
    const [row] = await query(
      'select pg_snapshot_xmin(pg_current_snapshot()) > (select max(xid) from changes) as ended',
    )
    expect(row?.ended).toBe(true)
  })
  const readPages = async () => {
    await query('select pg_stat_force_next_flush()')
    const [row] = await query(
      `select (idx_blks_hit + idx_blks_read)::int as pages from pg_statio_user_indexes where indexrelname = 'changes_by_xid'`,
    )
    return Number(row?.pages)
  }
  const pages: number[] = []
  for (const one of people.slice(1)) {
    await follow(fan, [one])
    const before = await readPages()
    expect(await write()).toBe('done')
    pages.push((await readPages()) - before)
  }
  // PostgreSQL's vacuum may add pages to a single run, so the test uses the median.
  expect(pages.toSorted((one, other) => one - other)[Math.floor(pages.length / 2)]).toBeLessThan(30)
})
