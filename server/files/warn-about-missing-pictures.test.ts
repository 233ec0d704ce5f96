import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'
import { openBlobStore } from '../blobs/open-blob-store.ts'
import { createServerLogger } from '../log.ts'
import { warnAboutMissingPictures } from './warn-about-missing-pictures.ts'

let w: TestWorld
let empty: string
beforeAll(async () => {
  w = await createTestWorld()
  empty = mkdtempSync(join(tmpdir(), 'juntas-empty-'))
})
afterAll(async () => {
  await w.end()
  rmSync(empty, { recursive: true, force: true })
})

const errorsOf = async (dataDir: string) => {
  const errors: unknown[] = []
  const log = Object.assign(createServerLogger('silent'), {
    error: (...said: unknown[]) => errors.push(said.at(-1)),
  })
  await warnAboutMissingPictures(w.database.kysely, await openBlobStore({ s3: undefined, dataDir }), log)
  return errors
}

test('OPS-14 an empty file store is logged as an error if members have pictures', async () => {
  expect(await errorsOf(empty)).toEqual([])
  const ana = await w.join('Ana')
  const imageId = await ana.upload(await createJpeg())
  await ana.call(createPostOperation, { caption: 'Barro y mar', location: 'Cádiz', tags: [], imageId })
  expect(await errorsOf(empty)).toEqual([expect.stringContaining('check S3_BUCKET')])
  expect(await errorsOf(w.dataDir)).toEqual([])
})
