import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/open-database.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { columnExpressionsOf } from '../policy/index.ts'
import { selectNewestMatchingPostKeys, wherePostMentionsTerm } from './text-search.ts'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('EXP-14 a search for a common tag reads only the posts it finds, and a search for a rare tag uses its index', async () => {
  await database.pool.query(`
    with account as (insert into accounts (public_id, name) values ('ana', 'Ana') returning id)
    insert into users (public_id, account_id, name, username) select 'ana', id, 'Ana', 'ana' from account`)
  // Inserts the posts in parts, because one statement may exceed the timeout of four seconds on a busy machine.
  for (let first = 1; first <= 6000; first += 1000)
    await database.pool.query(
      `with pictures as (
         insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
           signature, sha256, width, height, thumbhash)
         select 'foto' || n, m.id, 'attached', 'post', 'foto.jpg', md5('foto' || n), 1, 1, 1, 'image/jpeg', md5('foto' || n),
           sha256('foto'), 3, 4, decode('3ff8050bd8787b78707787f807a758f767', 'hex')
         from users m, generate_series($1::int, $1 + 999) n returning id, owner_id)
       insert into posts (public_id, creator_id, caption, location, tags, image_id, created_at, updated_at)
       select 'post' || p.id, p.owner_id, 'Un día', 'Gijón', case when p.id % 1000 = 7 then '{mar,rara}' else '{mar}' end::text[], p.id, at, at
       from pictures p, lateral (select timestamptz '2026-01-01' + p.id * interval '1 minute' as at) times`,
      [first],
    )
  await database.pool.query('vacuum analyze posts')
  expect((await planOf('#Már')).read).toBeLessThan(100)
  expect((await planOf('#rara')).indexes).toContain('posts_by_day_and_tag')
})

test('EXP-14 a search for a word that nobody wrote skips the largest window of a large community', async () => {
  await database.pool.query(`
    with account as (insert into accounts (public_id, name) values ('bea', 'Bea') returning id),
      bea as (insert into users (public_id, account_id, name, username) select 'bea', id, 'Bea', 'bea' from account returning id),
      picture as (
        insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
          signature, sha256, width, height, thumbhash)
        select 'nueva', id, 'attached', 'post', 'foto.jpg', md5('nueva'), 1, 1, 1, 'image/jpeg', md5('nueva'),
          sha256('foto'), 3, 4, decode('3ff8050bd8787b78707787f807a758f767', 'hex') from bea returning id, owner_id)
    insert into posts (id, public_id, creator_id, caption, location, image_id)
    select 2000000, 'millones', owner_id, 'Un día', 'Gijón', id from picture`)
  expect((await planOf('nadie')).windows).toBe(3)
  expect((await planOf('día')).windows).toBe(4)
})

async function planOf(term: string) {
  const which = wherePostMentionsTerm(columnExpressionsOf<'posts'>('p'), term)
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
    explain (analyze, format json) ${selectNewestMatchingPostKeys(which, 20)}`.execute(database.kysely)
  const nodes = [...nodesOf(rows[0]?.['QUERY PLAN'][0].Plan as PlanNode)]
  const read = nodes
    .filter((node) => node['Relation Name'] === 'posts')
    .map((node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
  const looks = nodes.find((node) => node['Node Type'] === 'Recursive Union')?.['Actual Rows'] ?? 0
  // The first row is the start of the recursion.
  return { read: Math.max(...read), indexes: nodes.map((node) => node['Index Name']), windows: looks - 1 }
}

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Loops': number
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}
