import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { memberKeyParameter, whereMemberMayWrite } from '../policy/index.ts'
import { claimUploads } from './stored-files.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('the picture of a post is found by its id, however many uploads wait and whatever the planner estimates', async () => {
  const ana = await w.join('Ana')
  const { rows: members } = await w.database.pool.query<{ id: number }>(
    'select id from users where public_id = $1',
    [ana.id],
  )
  const owner = Number(members[0]?.id)
  const addFiles = (name: string, state: 'attached' | 'ready') =>
    w.database.pool.query(
      `insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, size, chunks_total, mime_type,
         signature, sha256, width, height, thumbhash)
       select $2 || n, $1, $3, case $3 when 'attached' then 'user' end, 'foto.jpg', md5($2 || n), 9, 9, 1, 'image/jpeg', md5('s'),
         sha256('s'), 4, 3, 'pixels' from generate_series(1, 3000) n`,
      [owner, name, state],
    )
  await addFiles('shown', 'attached')
  await w.database.pool.query('vacuum analyze files')
  await addFiles('waiting', 'ready')
  const permitted = whereMemberMayWrite(memberKeyParameter(owner), 'update', 'files', 'files')
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain with claimed as (${claimUploads(permitted, ['waiting7'], 'post')}) select * from claimed`.execute(
    w.database.kysely,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Index Scan using files_public_id')
  expect(plan).not.toContain('files_to_sweep')
})
