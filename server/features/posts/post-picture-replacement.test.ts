import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { appwriteFilesPath, sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import {
  createPostOperation,
  getPostOperation,
  type Post,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { createJpeg, createNoisePng } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openDiskBlobStore } from '../../blobs/disk-blob-store.ts'
import { purgeUnusedFiles } from '../../files/file-cleanup.ts'
import type { FileContext } from '../../files/stored-files.ts'
import { createImageProcessor } from '../../images/image-processor.ts'
import { createServerLogger } from '../../log.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-pictures-'))
const images = createImageProcessor()
let w: TestWorld
let ana: MemberClient
let blobs: BlobStore
let context: FileContext

beforeAll(async () => {
  w = await createTestWorld({ DATA_DIR: dataDir })
  ana = await w.join('Ana')
  blobs = await openDiskBlobStore(join(dataDir, 'files'))
  context = { database: w.database, blobs, images, log: createServerLogger('silent') }
})
afterAll(async () => {
  images.close()
  await w.end()
  rmSync(dataDir, { recursive: true })
})

afterEach(async () => {
  await aDayLater()
  await purgeUnusedFiles(context)
  await aDayLater()
  await purgeUnusedFiles(context)
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])

  const { rows } = await w.database.pool.query<{ state: string; storage_key: string }>(
    'select state, storage_key from files',
  )
  expect(rows.filter(({ state }) => state !== 'attached')).toEqual([])
  const kept = rows.map(({ storage_key }) => storage_key)
  expect(
    listFilePathsBelow(join(dataDir, 'files')).filter((path) => !kept.some((key) => path.includes(key))),
  ).toEqual([])
  const posts = await w.database.pool.query<{ public_id: string }>('select public_id from posts')
  for (const { public_id: postId } of posts.rows) {
    const { imageId } = await ana.call(getPostOperation, { postId })
    expect(await statusOf(imageId)).toBe(200)
  }
})

const aDayLater = () =>
  w.database.pool.query(`update files set updated_at = updated_at - interval '25 hours'`)
const publish = async (): Promise<Post> =>
  ana.call(createPostOperation, {
    caption: 'Una tarde',
    location: 'Tonalá',
    tags: [],
    imageId: await ana.upload(await createJpeg()),
  })
const statusOf = async (imageId: string) =>
  (await ana.request('GET', `${appwriteFilesPath}/${imageId}/view`)).status
const stateOf = async (imageId: string) =>
  (await w.database.pool.query('select state from files where public_id = $1', [imageId])).rows[0]?.state

test('PEDT-10 if the upload is incomplete, the edit is refused and the post keeps its picture', async () => {
  const post = await publish()
  const picture = await createNoisePng(2048, 2048)
  const { $id: half } = (await sendRawUpload(ana, sliceUploadChunk(picture, 0))).body
  expect(await ana.refusal(updatePostOperation, { postId: post.$id, imageId: half })).toMatchObject({
    code: 404,
  })
  expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
  expect(await stateOf(half)).toBe('uploading')
})

test('PEDT-10 if the edit fails, the post keeps its picture, and the new picture can be deleted or used again', async () => {
  const post = await publish()
  const imageId = await ana.upload(await createJpeg())
  await w.database.pool.query(`
    create function break() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger break before update on posts for each row execute function break()`)
  const failed = await ana.request('PATCH', `/v1/posts/${post.$id}`, { imageId })
  await w.database.pool.query('drop function break cascade')
  expect(failed.status).toBe(500)
  expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
  expect([await stateOf(post.imageId), await stateOf(imageId)]).toEqual(['attached', 'ready'])

  const taken = await ana.upload(await createJpeg())
  expect((await ana.request('DELETE', `${appwriteFilesPath}/${taken}`)).status).toBe(204)
  expect((await ana.call(updatePostOperation, { postId: post.$id, imageId })).imageId).toBe(imageId)
})

test('PEDT-10 if the edit is refused, the post keeps its picture, and the new picture is deleted after a day', async () => {
  const post = await publish()
  const imageId = await ana.upload(await createJpeg())
  const refused = await ana.refusal(updatePostOperation, { postId: post.$id, imageId, caption: 'no' })
  expect(refused).toMatchObject({ code: 400, field: 'caption' })
  expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
})

test('PEDT-09 if the old bytes cannot be removed, the post shows the new picture, and the old picture is deleted later', async () => {
  const post = await publish()
  const imageId = await ana.upload(await createJpeg())
  await ana.call(updatePostOperation, { postId: post.$id, imageId })
  const readOnly = { ...blobs, remove: () => Promise.reject(new Error('the disk is read-only')) }
  await purgeUnusedFiles({ ...context, blobs: readOnly })
  expect(await statusOf(imageId)).toBe(200)
  expect(await statusOf(post.imageId)).toBe(404)
  expect(await stateOf(post.imageId)).toBe('deleting')
})

test('if the member closes the browser after uploading, the post is unchanged and the upload is deleted after a day', async () => {
  const post = await publish()
  const imageId = await ana.upload(await createJpeg())
  await purgeUnusedFiles(context)
  expect(await stateOf(imageId)).toBe('ready')
  expect(await ana.call(getPostOperation, { postId: post.$id })).toEqual(post)
})

test('PEDT-08 after two concurrent replacements the post has one picture, and the other is unused', async () => {
  const post = await publish()
  const [one, other] = await Promise.all([ana.upload(await createJpeg()), ana.upload(await createJpeg())])
  await Promise.all(
    [one, other].map((imageId) => ana.call(updatePostOperation, { postId: post.$id, imageId })),
  )
  const { imageId } = await ana.call(getPostOperation, { postId: post.$id })
  expect([one, other]).toContain(imageId)
  expect(await stateOf(imageId === one ? other : one)).toBe('deleting')
  expect(await stateOf(post.imageId)).toBe('deleting')
})
