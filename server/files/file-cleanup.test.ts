import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { openDiskBlobStore } from '../blobs/disk-blob-store.ts'
import type { Database } from '../database/open-database.ts'
import { collectionEffects } from '../features/collection-effects.ts'
import { generateId } from '../ids.ts'
import { createImageProcessor } from '../images/image-processor.ts'
import { createServerLogger } from '../log.ts'
import { createTransactionalStore } from '../store/store.ts'
import { purgeUnusedFiles } from './file-cleanup.ts'
import type { FileContext } from './stored-files.ts'

const root = mkdtempSync(join(tmpdir(), 'juntas-sweep-'))
const images = createImageProcessor()
let database: Database
let blobs: BlobStore
let context: FileContext

beforeAll(async () => {
  database = await createTestDatabase()
  blobs = await openDiskBlobStore(root)
  context = { database, blobs, images, log: createServerLogger('silent') }
  await database.pool.query(`
    with account as (insert into accounts (public_id) values ('ana') returning id)
    insert into users (public_id, account_id, name, username) select 'ana', id, 'Ana', 'ana' from account`)
})
afterAll(async () => {
  images.close()
  await database.close()
  rmSync(root, { recursive: true })
})

type State = 'uploading' | 'ready' | 'attached' | 'deleting'

/** Creates a file with one blob that nobody has touched for the given time. */
async function file(state: State, age: string): Promise<{ id: string; key: string }> {
  const [id, key] = [generateId(), generateId(32)]
  const scratch = await blobs.begin(1)
  writeFileSync(join(scratch.path, 'original'), 'bytes')
  await blobs.finish(key, { original: join(scratch.path, 'original') })
  await database.pool.query(
    `insert into files (public_id, owner_id, state, purpose, name, storage_key, announced_size, chunks_total,
       size, mime_type, signature, sha256, width, height, thumbhash, updated_at)
     select $1, id, $2, case $2 when 'attached' then 'post' end, 'x.png', $3, 5, 1, 5, 'image/png',
       repeat('0', 32), decode(repeat('00', 32), 'hex'), 1, 1, decode('0000000000', 'hex'),
       clock_timestamp() - $4::interval
     from users where public_id = 'ana'`,
    [id, state, key, age],
  )
  return { id, key }
}

const isStored = async (key: string) => (await blobs.open(key, 'original')) !== null
const stateOf = async (id: string) =>
  (await database.pool.query('select state from files where public_id = $1', [id])).rows[0]?.state ?? 'gone'

test('F11 uploads unused for a day are deleted, and used or newer uploads stay', async () => {
  const abandoned = [await file('uploading', '25 hours'), await file('ready', '25 hours')]
  const kept = [
    await file('uploading', '23 hours'),
    await file('ready', '23 hours'),
    await file('attached', '90 days'),
  ]
  await purgeUnusedFiles(context)
  for (const { id, key } of abandoned) {
    expect([await stateOf(id), await isStored(key)]).toEqual(['deleting', false])
  }
  for (const { id, key } of kept) {
    expect(await stateOf(id)).not.toBe('deleting')
    expect(await isStored(key)).toBe(true)
  }
})

test('a released file loses its bytes immediately and its row after an hour', async () => {
  const [young, old] = [await file('deleting', '1 minute'), await file('deleting', '61 minutes')]
  await purgeUnusedFiles(context)
  expect([await stateOf(young.id), await isStored(young.key)]).toEqual(['deleting', false])
  expect([await stateOf(old.id), await isStored(old.key)]).toEqual(['gone', false])
})

test('the row of a file stays for the next run if its bytes cannot be removed', async () => {
  const stuck = await file('deleting', '2 hours')
  const broken = {
    ...context,
    blobs: { ...blobs, remove: async () => Promise.reject(new Error('the disk is read-only')) },
  }
  await purgeUnusedFiles(broken)
  expect(await stateOf(stuck.id)).toBe('deleting')
  await purgeUnusedFiles(context)
  expect(await stateOf(stuck.id)).toBe('gone')
})

test('concurrent cleanups do no harm', async () => {
  const files = await Promise.all(Array.from({ length: 20 }, () => file('ready', '30 hours')))
  await Promise.all([purgeUnusedFiles(context), purgeUnusedFiles(context), purgeUnusedFiles(context)])
  for (const { id, key } of files)
    expect([await stateOf(id), await isStored(key)]).toEqual(['deleting', false])
  expect(listFilePathsBelow(join(root, 'scratch'))).toEqual([])
})

test('T20 an old upload that a post claims during a cleanup is kept or deleted together with its bytes', async () => {
  const { rows } = await database.pool.query("select id from users where public_id = 'ana'")
  const creator_id = rows[0].id as number
  const store = createTransactionalStore(database, collectionEffects, () => {})
  const content = { caption: 'Una foto', location: 'Aquí', tags: [] }
  for (let round = 0; round < 20; round += 1) {
    const { id, key } = await file('ready', '25 hours')
    const claim = store.insert(creator_id, 'posts', { creator_id, ...content, image_id: id }).then(
      () => true,
      (refusal: { type?: string }) => {
        expect(refusal.type).toBe('storage_file_not_found')
        return false
      },
    )
    const [claimed] = await Promise.all([claim, purgeUnusedFiles(context), purgeUnusedFiles(context)])
    const expected = claimed ? ['attached', true] : ['deleting', false]
    expect([await stateOf(id), await isStored(key)]).toEqual(expected)
  }
})
