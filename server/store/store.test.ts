import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { collectionEffects } from '../features/collection-effects.ts'
import { createTransactionalStore } from './store.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(async () => {
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  await w.end()
})

/** Creates posts that are a second apart, each with a picture. */
const fill = (groupId: string, count: number) =>
  w.database.pool.query(
    `with author as (select id from users where public_id = $1), pictures as (
       insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
         signature, sha256, width, height, thumbhash)
       select 'f' || n || $2, author.id, 'attached', 'post', 'foto.jpg', md5(n || $2), 9, 9, 1, 'image/jpeg', md5('s'),
         sha256('s'), 4, 3, 'pixels' from author, generate_series(1, $3) n
       returning id, public_id)
     insert into posts (public_id, creator_id, group_id, image_id, caption, location, tags, created_at, updated_at)
     select 'p' || substr(f.public_id, 2), author.id, g.id, f.id, 'Una tarde', 'Casa', '{}', at, at
     from author, groups g, pictures f, lateral (select timestamptz '2026-01-01 00:00:00Z'
       + split_part(substr(f.public_id, 2), $2, 1)::int * interval '1 second' as at) times where g.public_id = $2`,
    [ana.id, groupId, count],
  )
const countOf = async (statement: string) => Number((await w.database.pool.query(statement)).rows[0].count)

test('removing more than a thousand posts removes every post and its picture', async () => {
  const group = await createGroupWithMembers(ana)
  await fill(group, 1101)
  expect(await countOf(`select count(*) from files where state = 'attached'`)).toBe(1101)
  const { transact } = createTransactionalStore(w.database, collectionEffects, () => {})
  await transact((tx) =>
    tx.removeAll('posts', sql`t.group_id = (select id from groups where public_id = ${group})`),
  )
  expect(await countOf('select count(*) from posts')).toBe(0)
  expect(await countOf(`select count(*) from files where state = 'attached'`)).toBe(0)
})

test('a member who leaves a group receives deletions of the hundred newest posts that her screen can show, and one change for all others', async () => {
  const group = await createGroupWithMembers(ana, bea)
  await fill(group, 150)
  await bea.call(leaveGroupOperation, { groupId: group })
  const { rows } = await w.database.pool.query(
    `select public_id, state -> 'unlisted' as unlisted from changes where collection = 'posts' and kind = 'delete'
       and member_ids = array[(select id from users where public_id = $1)]`,
    [bea.id],
  )
  const newest = Array.from({ length: 100 }, (_, place) => `p${51 + place}${group}`)
  const listed = rows.filter(({ unlisted }) => unlisted === null)
  expect(listed.map((row) => row.public_id).sort()).toEqual(newest.sort())
  expect(rows.length - listed.length).toBe(1)
})

test('two transactions in a deadlock both finish, because the aborted transaction retries', async () => {
  const { transact } = createTransactionalStore(w.database, collectionEffects, () => {})
  const lock = (person: MemberClient) => sql`select from users where public_id = ${person.id} for update`
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  let attempts = 0
  const work = (first: MemberClient, second: MemberClient) =>
    transact(async ({ db }) => {
      attempts += 1
      await lock(first).execute(db)
      holding += 1
      if (holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await lock(second).execute(db)
      return first.name
    })
  expect(await Promise.all([work(ana, bea), work(bea, ana)])).toEqual(['Ana', 'Bea'])
  // An aborted transaction may start again before the other one continues, and then abort again.
  expect(attempts).toBeGreaterThanOrEqual(3)
})
