import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anotherNode } from '../nodes.ts'
import { type ObjectStore, objectStore } from '../object-store.ts'
import { asking, type Person } from '../person.ts'
import { barePng, noisePng, padPng, png } from '../pictures.ts'
import { filesPath, pieceOf, type StoredFile, send, storedIn } from '../uploading.ts'
import { type World, world } from '../world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-bucket-'))
let store: ObjectStore
let w: World
let ana: Person
beforeAll(async () => {
  store = await objectStore()
  w = await world({ DATA_DIR: dataDir, ...store.env })
  ana = await w.join('Ana')
})
afterAll(async () => {
  await w.end()
  await store.end()
  rmSync(dataDir, { recursive: true, force: true })
})

const objects = () => storedIn(store.folder).filter((path) => path.endsWith('_object'))
const get = (id: string, door: string, headers = {}) =>
  ana.request<StoredFile>('GET', `${filesPath}/${id}${door}`, undefined, headers)

test('SDK-13 SDK-14 a picture that came in pieces, out of order, lives in the bucket and goes with its row', async () => {
  const bytes = padPng(await noisePng(1400, 1000), 11_000_000)
  const id = 'in-a-bucket'
  for (const number of [0, 2, 2]) {
    const piece = await send(ana, {
      ...pieceOf(bytes, number),
      fileId: id,
      continues: number ? id : undefined,
    })
    expect(piece.status).toBe(201)
  }
  expect(objects()).toHaveLength(2)
  const { status, body } = await send(ana, { ...pieceOf(bytes, 1), fileId: id, continues: id })
  expect([status, body.chunksUploaded, body.chunksTotal]).toEqual([201, 3, 3])
  // The original and the variants of the first day; the pieces are gone.
  expect(objects()).toHaveLength(5)
  expect(storedIn(dataDir)).toEqual([])

  const part = await get(id, '/view', { range: 'bytes=1-3' })
  expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 1-3/${body.sizeOriginal}`])
  expect(part.raw.toString()).toBe('PNG')
  expect((await get(id, '/preview?width=900', { accept: 'image/webp' })).headers['content-type']).toBe(
    'image/webp',
  )
  expect(objects()).toHaveLength(6)

  expect((await ana.request('DELETE', `${filesPath}/${id}`)).status).toBe(204)
  expect(objects()).toEqual([])
  expect((await get(id, '/view')).status).toBe(404)
})

test('SDK-13 UPL-10 what broke off at one node goes on at another, and is one picture', async () => {
  const elsewhere = await anotherNode(w.database, store.env)
  const there = asking(elsewhere.app, ana.cookie)
  const picture = await noisePng(1400, 1000)
  const bytes = padPng(picture, 11_000_000)
  const id = 'of-two-nodes'
  await send(ana, { ...pieceOf(bytes, 0), fileId: id })
  const rest = await Promise.all([
    send(there, { ...pieceOf(bytes, 1), continues: id }),
    send(ana, { ...pieceOf(bytes, 2), continues: id }),
  ])
  expect(rest.map(({ status }) => status)).toEqual([201, 201])
  for (const person of [ana, there]) {
    const view = await person.request('GET', `${filesPath}/${id}/view`)
    expect(view.raw.equals(barePng(picture))).toBe(true)
  }
  expect((await there.request('DELETE', `${filesPath}/${id}`)).status).toBe(204)
  expect(objects()).toEqual([])
  await elsewhere.end()
})

test('a refused upload leaves nothing in the bucket', async () => {
  const broken = (await png()).subarray(0, 200)
  expect((await send(ana, { bytes: broken })).status).toBe(400)
  expect(objects()).toEqual([])
  expect(storedIn(dataDir)).toEqual([])
})
