import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalS3Server, startLocalS3Server } from '#scripts/harness/local-s3-server.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { readConfig } from '../config.ts'
import { type BlobStore, isBlobGone } from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { openS3BlobStore } from './s3-blob-store.ts'

let store: LocalS3Server
let root: string
beforeAll(async () => {
  store = await startLocalS3Server()
  root = mkdtempSync(join(tmpdir(), 'juntas-blobs-'))
})
afterAll(async () => {
  await store.end()
  rmSync(root, { recursive: true })
})

const stores: Record<string, { open(): Promise<BlobStore>; folder(): string }> = {
  'a folder': { open: () => openDiskBlobStore(join(root, 'disk')), folder: () => join(root, 'disk') },
  'a bucket': {
    open: () => openS3BlobStore(readConfig(store.env).s3 as never, join(root, 'scratch')),
    folder: () => store.folder,
  },
}

describe.each(Object.keys(stores))('blobs in %s', (kind) => {
  const { open, folder } = stores[kind] as (typeof stores)[string]
  const key = 'ab'.repeat(16)
  let blobs: BlobStore
  beforeEach(async () => {
    blobs = await open()
    await blobs.remove(key)
  })

  async function scratchFile(content: string): Promise<string> {
    const { path } = await blobs.begin(content.length)
    writeFileSync(join(path, 'file'), content)
    return join(path, 'file')
  }

  async function textOf(name: string, range?: { start: number; end: number }): Promise<string | null> {
    const opened = await blobs.open(key, name)
    return opened && (await text(opened.read(range)))
  }

  test('a finished blob can be read whole and in parts', async () => {
    await blobs.finish(key, {
      original: await scratchFile('a picture'),
      '64.webp': await scratchFile('small'),
    })
    expect(await textOf('original')).toBe('a picture')
    expect(await textOf('original', { start: 2, end: 4 })).toBe('pic')
    expect((await blobs.open(key, '64.webp'))?.size).toBe(5)
    expect(await blobs.open(key, '320.webp')).toBeNull()
  })

  test('a chunk sent again replaces the earlier chunk', async () => {
    await blobs.append(key, 1, await scratchFile('one'))
    await blobs.append(key, 0, await scratchFile('null'))
    await blobs.append(key, 1, await scratchFile('ONE'))
    expect([await textOf('piece-0'), await textOf('piece-1')]).toEqual(['null', 'ONE'])
  })

  test('blobs are removed by name or by key, also repeatedly', async () => {
    const other = 'cd'.repeat(16)
    await blobs.finish(other, { original: await scratchFile('of another upload') })
    await blobs.append(key, 0, await scratchFile('piece'))
    await blobs.finish(key, { original: await scratchFile('a picture') })
    await blobs.remove(key, ['piece-0'])
    expect([await textOf('piece-0'), await textOf('original')]).toEqual([null, 'a picture'])
    await blobs.remove(key)
    await blobs.remove(key)
    expect(await textOf('original')).toBeNull()
    expect(listFilePathsBelow(folder()).filter((path) => path.includes(key))).toEqual([])
    expect((await blobs.open(other, 'original'))?.size).toBe(17)
  })

  test('F16 a stream ends with a specific error if its blob is deleted after the stream was opened', async () => {
    await blobs.finish(key, { original: await scratchFile('a picture') })
    const opened = await blobs.open(key, 'original')
    await blobs.remove(key)
    const error = await text(opened?.read() as Readable).catch((thrown: unknown) => thrown)
    expect(isBlobGone(error)).toBe(true)
  })

  test('F05 F16 no key or name escapes the store', async () => {
    await expect(blobs.open('../../etc', 'passwd')).rejects.toThrow('Not a key')
    await expect(blobs.open(key, '../../etc/passwd')).rejects.toThrow('Not a name')
    await expect(blobs.finish(key, { '../x': await scratchFile('x') })).rejects.toThrow('Not a name')
    await expect(blobs.remove('', ['x'])).rejects.toThrow('Not a key')
    await expect(blobs.remove('')).rejects.toThrow('Not a key')
  })
})

test('a bucket refuses a node with a wrong secret', async () => {
  const env = { ...store.env, S3_SECRET_ACCESS_KEY: 'wrong' }
  const blobs = await openS3BlobStore(readConfig(env).s3 as never, join(root, 'scratch'))
  await expect(blobs.open('ab'.repeat(16), 'original')).rejects.toThrow()
})
