import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPost, homeFeed } from '#contract/posts.ts'
import { type Person, signUpAndIn } from '#tests/person.ts'
import { jpeg } from '#tests/pictures.ts'
import { remote } from '#tests/remote.ts'
import { makeCluster, type RunningServer, startServer } from '#tests/server.ts'

let dataDir: string
let server: RunningServer
let ana: Person
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'juntas-built-'))
  await makeCluster(dataDir)
  server = await startServer({ by: 'npm start', dataDir })
  const given = { name: 'Ana', username: 'ana', email: 'ana@juntas.test', password: 'correcta caballo pila' }
  ana = await signUpAndIn(remote(server.url), given)
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a member signs up, publishes a picture and sees it on the built server', async () => {
  const imageId = await ana.upload(await jpeg())
  await ana.call(createPost, { caption: 'Desde lo construido', location: 'Aquí', tags: [], imageId })
  const { documents } = await ana.call(homeFeed, {})
  expect(documents.map(({ caption }) => caption)).toEqual(['Desde lo construido'])
})

test('the built server finds what lies beside its sources and in its packages', async () => {
  const status = async (path: string) => (await ana.request('GET', `/v1${path}`)).status
  expect(await status('/auth/landing.css')).toBe(200)
  expect(await status('/auth/figtree.woff2')).toBe(200)
  expect(await status('/avatars/initials?name=Ana')).toBe(200)
  expect(await status('/avatars/flags/es')).toBe(200)
  expect(await status('/avatars/qr?text=hola')).toBe(200)
})
