import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { datasetFingerprint } from './generate-dataset.ts'
import { loadDataset } from './load-dataset.ts'

const size = { members: 300, posts: 2000 }

test('a generated community satisfies every count, constraint and invariant', async () => {
  const database = await createTestDatabase()
  await loadDataset(database.directUrl, size)
  const { rows } = await database.pool.query(
    'select (select count(*) from users) + (select count(*) from posts) n',
  )
  expect(rows).toEqual([{ n: 2300 }])
  expect(await findBrokenDatabaseInvariants(database)).toEqual([])
  const next = await database.pool.query(`insert into accounts (public_id) values ('next') returning id`)
  expect(next.rows).toEqual([{ id: 301 }])
  await database.close()
})

test('the same seed generates the same community, and another seed a different one', () => {
  expect(datasetFingerprint(size, 7)).toBe(datasetFingerprint(size, 7))
  expect(datasetFingerprint(size, 7)).not.toBe(datasetFingerprint(size, 8))
})
