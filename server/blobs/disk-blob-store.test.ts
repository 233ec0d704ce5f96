import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'

const roots: string[] = []
let root: string
let blobs: BlobStore
beforeEach(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'juntas-blobs-')), 'files')
  roots.push(root)
  blobs = await openDiskBlobStore(root)
})
afterAll(() => {
  for (const each of roots) rmSync(join(each, '..'), { recursive: true })
})

const key = 'ab'.repeat(16)
const left = () => readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())

async function scratchFile(text: string): Promise<string> {
  const { path } = await blobs.begin(text.length)
  writeFileSync(join(path, 'file'), text)
  return join(path, 'file')
}

test('a scratch folder is deleted on disposal', async () => {
  {
    await using scratch = await blobs.begin(10)
    writeFileSync(join(scratch.path, 'file'), 'half a picture')
    expect(left()).toHaveLength(1)
  }
  expect(left()).toEqual([])
})

test("a killed server's scratch folder is deleted after an hour", async () => {
  const old = join(root, 'scratch', 'old')
  const [path] = [await scratchFile('of a killed server')]
  const { rename } = await import('node:fs/promises')
  await rename(join(path, '..'), old)
  const anHourAgo = Date.now() / 1000 - 3700
  utimesSync(old, anHourAgo, anHourAgo)
  const restarted = await openDiskBlobStore(root)
  await restarted.begin(1)
  expect(existsSync(old)).toBe(false)
})

test('storage_device_full is reported before anything is written', async () => {
  await expect(blobs.begin(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    type: 'storage_device_full',
    status: 507,
  })
  expect(left()).toEqual([])
})

test('other users of the machine cannot read the stored pictures', async () => {
  await blobs.finish(key, { original: await scratchFile('a picture') })
  expect(statSync(join(root, 'ab')).mode & 0o077).toBe(0)
})
