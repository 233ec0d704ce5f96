import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { createPostOperation, getHomeFeedOperation } from '#contract/posts/posts.ts'
import { createJpeg } from './harness/image-fixtures.ts'
import { initializeDatabaseWithoutFsync, type RunningServer, startServer } from './harness/server-process.ts'

let dataDir: string
let server: RunningServer
let ana: MemberClient
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'juntas-built-'))
  await initializeDatabaseWithoutFsync(dataDir)
  server = await startServer({ by: 'npm start', dataDir })
  const given = { name: 'Ana', username: 'ana', email: 'ana@juntas.test', password: 'correcta caballo pila' }
  ana = await signUpAndSignIn(createHttpTransport(server.url), given)
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('on the built server a member signs up, publishes a picture and sees the post', async () => {
  const imageId = await ana.upload(await createJpeg())
  await ana.call(createPostOperation, { caption: 'Desde lo construido', location: 'Aquí', tags: [], imageId })
  const { documents } = await ana.call(getHomeFeedOperation, {})
  expect(documents.map(({ caption }) => caption)).toEqual(['Desde lo construido'])
})

test('OPS-07 a build made from other sources refuses to start and names the build command', async () => {
  const stamp = join(import.meta.dirname, '..', 'dist', 'server.stamp')
  const right = readFileSync(stamp, 'utf8')
  writeFileSync(stamp, 'another')
  try {
    const folder = join(dataDir, 'outdated')
    const said = await startServer({ by: 'built', dataDir: folder }).catch(String)
    expect(said).toContain('run `npm run build`')
    expect(existsSync(folder)).toBe(false)
  } finally {
    writeFileSync(stamp, right)
  }
})

test('the built server serves files from its source folders and from its packages', async () => {
  const status = async (path: string) => (await ana.request('GET', `/v1${path}`)).status
  expect(await status('/auth/email-link-pages.css')).toBe(200)
  expect(await status('/auth/figtree.woff2')).toBe(200)
  expect(await status('/avatars/initials?name=Ana')).toBe(200)
  expect(await status('/avatars/flags/es')).toBe(200)
  expect(await status('/avatars/qr?text=hola')).toBe(200)
})
