import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiClient, type MemberClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import { requestExportOperation } from '#contract/data-export/account-export.ts'
import { createJpeg, createNoisePng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import { type LocalS3Server, startLocalS3Server } from '#scripts/harness/local-s3-server.ts'
import type { ListableBlobStore, StoredKey } from '#server/blobs/blob-store.ts'
import { type BlobPlace, openBlobPlaces } from '#server/blobs/open-blob-store.ts'
import { readConfig } from '#server/config.ts'
import { erasedAccountsKey, recordErasedAccount } from '#server/features/deletion/erased-account-register.ts'
import { type SecondServerNode, startSecondServerNode } from '#tests/support/second-node.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import type { FileMoveContext } from './copy-stored-files.ts'
import { readFileMove, withFileMoveLock } from './file-move-state.ts'
import { moveFiles, removeOldCopies } from './move-files.ts'
import { verifyFiles } from './verify-files.ts'

/** Two nodes on one disk: one still prefers the disk, and the other prefers S3. */
let s3Server: LocalS3Server
let w: TestWorld
let onS3: SecondServerNode
let ana: MemberClient
let disk: ListableBlobStore
let s3: ListableBlobStore
let db: Client

beforeAll(async () => {
  s3Server = await startLocalS3Server()
  w = await createTestWorld({ ...s3Server.env, FILES_STORE: 'disk' })
  onS3 = await startSecondServerNode(w.database, { ...s3Server.env, DATA_DIR: w.dataDir })
  ana = await w.join('Ana')
  const places = await openBlobPlaces(readConfig({ ...s3Server.env, DATA_DIR: w.dataDir }))
  disk = places.disk
  s3 = places.s3 as ListableBlobStore
  db = new Client({ connectionString: w.database.directUrl })
  await db.connect()
})
afterAll(async () => {
  await db.end()
  await onS3.end()
  await w.end()
  await s3Server.end()
})
beforeEach(async () => {
  for (const store of [disk, s3]) for (const { key } of await keysOf(store)) await store.remove(key)
  await w.database.pool.query('delete from file_move; delete from files; delete from exports')
})

async function keysOf(store: ListableBlobStore): Promise<StoredKey[]> {
  const found: StoredKey[] = []
  for await (const stored of store.list()) found.push(stored)
  return found
}
const quiet = () => {}

function contextTo(place: BlobPlace, changed: Partial<FileMoveContext> = {}): FileMoveContext {
  const [source, target] = place === 's3' ? [disk, s3] : [s3, disk]
  return { db, source, target, permanentKeys: [erasedAccountsKey], pace: async () => {}, ...changed }
}

const view = async (app: SecondServerNode['app'], id: string) => {
  const { status, raw } = await createApiClient(app, ana.cookie).request(
    'GET',
    `${appwriteFilesPath}/${id}/view`,
  )
  return { status, raw }
}
const remove = (id: string) => ana.request('DELETE', `${appwriteFilesPath}/${id}`)
const keyOf = async (id: string) => {
  const { rows } = await w.database.pool.query<{ key: string }>(
    'select storage_key as key from files where public_id = $1',
    [id],
  )
  return rows[0]?.key as string
}

test('OPS-10 files move from disk to S3 and back, and ana sees every picture at each step on each node', async () => {
  const ids = [await ana.upload(await createJpeg()), await ana.upload(await createNoisePng(700, 500))]
  const seen = async () => {
    const answers = ids.flatMap((id) => [view(w.app, id), view(onS3.app, id)])
    return (await Promise.all(answers)).map(({ status, raw }) => [status, raw.length])
  }
  const before = await seen()
  expect(before.map(([status]) => status)).toEqual([200, 200, 200, 200])
  const stored = await keysOf(disk)
  expect([stored.length, await keysOf(s3)]).toEqual([2, []])

  expect(await moveFiles(contextTo('s3'), 's3', quiet)).toMatchObject({ files: 2, missing: 0, wrong: 0 })
  expect([await seen(), await keysOf(s3), await keysOf(disk)]).toEqual([before, stored, stored])
  expect(await removeOldCopies(contextTo('s3'), 's3', false, quiet)).toMatchObject({
    unfinished: 0,
    notMoved: 0,
    unused: 0,
  })
  expect([await seen(), await keysOf(disk)]).toEqual([before, []])
  expect((await readFileMove(db))?.ended_at).not.toBeNull()

  expect(await moveFiles(contextTo('disk'), 'disk', quiet)).toMatchObject({ files: 2, missing: 0, wrong: 0 })
  await removeOldCopies(contextTo('disk'), 'disk', false, quiet)
  expect([await seen(), await keysOf(disk), await keysOf(s3)]).toEqual([before, stored, []])
})

test('OPS-10 a picture that ana deletes while it is copied is in neither store afterwards', async () => {
  const id = await ana.upload(await createJpeg())
  const stays = await ana.upload(await createJpeg('#123456'))
  const key = await keyOf(id)
  const target: ListableBlobStore = {
    ...s3,
    async finish(of, files) {
      // The deletion ends before the copy arrives.
      if (of === key) expect((await remove(id)).status).toBe(204)
      await s3.finish(of, files)
    },
  }
  expect(await moveFiles(contextTo('s3', { target }), 's3', quiet)).toMatchObject({ files: 1, missing: 0 })
  expect((await keysOf(s3)).map((each) => each.key)).toEqual([await keyOf(stays)])
  expect((await keysOf(disk)).map((each) => each.key)).toEqual([await keyOf(stays)])
})

test('OPS-10 a picture deleted before its bytes are read is not moved', async () => {
  const id = await ana.upload(await createJpeg())
  const source: ListableBlobStore = {
    ...disk,
    async open(key, name) {
      const opened = await disk.open(key, name)
      await remove(id)
      return opened
    },
  }
  expect(await moveFiles(contextTo('s3', { source }), 's3', quiet)).toMatchObject({ files: 0, missing: 0 })
  expect([await keysOf(s3), await keysOf(disk)]).toEqual([[], []])
})

test('OPS-10 after a killed move, the next run removes the copy of a picture that was being deleted', async () => {
  const id = await ana.upload(await createJpeg())
  const stays = await ana.upload(await createJpeg('#123456'))
  const [key, stayingKey] = [await keyOf(id), await keyOf(stays)]
  const killed = new Client({ connectionString: w.database.directUrl })
  await killed.connect()
  const target: ListableBlobStore = {
    ...s3,
    async finish(of, files) {
      if (of === key) await remove(id)
      await s3.finish(of, files)
      if (of === key) await killed.end()
    },
  }
  await expect(moveFiles(contextTo('s3', { target, db: killed }), 's3', quiet)).rejects.toThrow()
  expect(await s3.names(key)).not.toEqual([])
  await expect
    .poll(() => moveFiles(contextTo('s3'), 's3', quiet).catch((error: Error) => error.message))
    .toMatchObject({ files: 1, missing: 0, wrong: 0 })
  expect(await s3.names(key)).toEqual([])
  expect(await s3.names(stayingKey)).not.toEqual([])
})

test('OPS-11 a damaged picture is reported, the move stays unfinished and nothing is deleted', async () => {
  const id = await ana.upload(await createJpeg())
  const gone = await ana.upload(await createJpeg('#123456'))
  const path = join(w.dataDir, 'files', (await keyOf(id)).slice(0, 2), await keyOf(id), 'original')
  const bytes = readFileSync(path)
  writeFileSync(path, Buffer.from(bytes).fill(1, bytes.length >> 1))
  await disk.remove(await keyOf(gone))
  const damaged = { missing: 2, wrong: 0, some: [id, gone] }
  expect(await moveFiles(contextTo('s3'), 's3', quiet)).toMatchObject(damaged)
  expect(await moveFiles(contextTo('s3'), 's3', quiet)).toMatchObject(damaged)
  expect(await verifyFiles({ db, store: disk, pace: async () => {} })).toMatchObject({ missing: 1, wrong: 1 })
  const removing = () => removeOldCopies(contextTo('s3'), 's3', false, quiet)
  await expect(removing()).rejects.toThrow('The files are not all in s3 yet')
  writeFileSync(path, bytes)
  await remove(gone)
  expect(await moveFiles(contextTo('s3'), 's3', quiet)).toMatchObject({ files: 1, missing: 0, wrong: 0 })
  expect(await removing()).toMatchObject({ notMoved: 0 })
})

test('OPS-11 a wrong copy in the target is replaced from the source', async () => {
  const id = await ana.upload(await createJpeg())
  const key = await keyOf(id)
  await using scratch = await s3.begin(10)
  writeFileSync(join(scratch.path, 'half'), 'half')
  await s3.finish(key, { original: join(scratch.path, 'half') })
  expect(await moveFiles(contextTo('s3'), 's3', quiet)).toMatchObject({ files: 1, missing: 0, wrong: 0 })
})

test('OPS-10 an unfinished upload continues during the move and after it', async () => {
  const bytes = padPngToSize(await createNoisePng(1400, 1000), 11_000_000)
  const [first, second, third] = [0, 1, 2].map((number) => sliceUploadChunk(bytes, number))
  const fileId = 'on-its-way'
  expect((await sendRawUpload(ana, { ...first, fileId } as never)).status).toBe(201)
  await moveFiles(contextTo('s3'), 's3', quiet)
  const at = createApiClient(onS3.app, ana.cookie) as MemberClient
  expect((await sendRawUpload(at, { ...second, fileId, continues: fileId } as never)).status).toBe(201)
  expect(await removeOldCopies(contextTo('s3'), 's3', true, quiet)).toMatchObject({ unfinished: 1 })
  expect((await readFileMove(db))?.ended_at).toBeNull()
  const finished = await sendRawUpload(at, { ...third, fileId, continues: fileId } as never)
  expect([finished.status, finished.body]).toMatchObject([201, { chunksUploaded: 3 }])
  expect((await view(onS3.app, fileId)).status).toBe(200)
  expect(await removeOldCopies(contextTo('s3'), 's3', false, quiet)).toMatchObject({ unfinished: 0 })
  expect((await view(w.app, fileId)).status).toBe(200)
  expect(await keysOf(disk)).toEqual([])
})

test('OPS-10 the clean-up copies files that nodes stored in the source during the move', async () => {
  await moveFiles(contextTo('s3'), 's3', quiet)
  const id = await ana.upload(await createJpeg())
  expect(await s3.names(await keyOf(id))).toEqual([])
  await removeOldCopies(contextTo('s3'), 's3', false, quiet)
  expect([await keysOf(disk), (await view(onS3.app, id)).status]).toEqual([[], 200])
})

test('OPS-10 a move includes the register of erased accounts, and leaves files without a row unless requested', async () => {
  await recordErasedAccount(disk, { public_id: 'eva', created_at: new Date(0) })
  const stray = 'z'.repeat(32)
  await using scratch = await disk.begin(10)
  writeFileSync(join(scratch.path, 'stray'), 'stray')
  await disk.finish(stray, { original: join(scratch.path, 'stray') })
  await moveFiles(contextTo('s3'), 's3', quiet)
  expect((await keysOf(s3)).map(({ key }) => key)).toEqual([erasedAccountsKey])
  expect(await removeOldCopies(contextTo('s3'), 's3', false, quiet)).toMatchObject({ unused: 1, notMoved: 0 })
  expect((await keysOf(disk)).map(({ key }) => key)).toEqual([stray])
  await removeOldCopies(contextTo('s3'), 's3', true, quiet)
  expect(await keysOf(disk)).toEqual([])
})

test('OPS-10 a move includes data exports until they expire', async () => {
  await ana.call(requestExportOperation, {})
  const state = async () =>
    (await w.database.pool.query('select state, storage_key as key from exports')).rows[0]
  await expect.poll(async () => (await state())?.state).toBe('ready')
  const { key } = await state()
  await moveFiles(contextTo('s3'), 's3', quiet)
  const texts = await disk.names(key)
  expect([texts.length > 0, await s3.names(key)]).toEqual([true, texts])
  await w.database.pool.query('update exports set dies_at = clock_timestamp()')
  expect(await removeOldCopies(contextTo('s3'), 's3', false, quiet)).toMatchObject({ unused: 1 })
})

test('OPS-10 two commands cannot move files at the same time', async () => {
  const other = new Client({ connectionString: w.database.directUrl })
  await other.connect()
  await withFileMoveLock(other, async () => {
    await expect(moveFiles(contextTo('s3'), 's3', quiet)).rejects.toThrow('Another command is moving files')
  })
  await other.end()
  await moveFiles(contextTo('s3'), 's3', quiet)
})

test('OPS-10 a picture deleted during a move is deleted in both stores', async () => {
  const id = await ana.upload(await createJpeg())
  const key = await keyOf(id)
  await moveFiles(contextTo('s3'), 's3', quiet)
  expect([await s3.names(key), await disk.names(key)].map((names) => names.length > 0)).toEqual([true, true])
  expect((await remove(id)).status).toBe(204)
  expect([await s3.names(key), await disk.names(key)]).toEqual([[], []])
})
