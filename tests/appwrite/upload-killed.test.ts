import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '#contract/account.ts'
import { sanitise } from '#server/images/intake.ts'
import { noisePng } from '../pictures.ts'
import { type RunningServer, startServer } from '../server.ts'
import { filesPath, formOf, pieceOf, type StoredFile, storedIn, type Upload } from '../uploading.ts'
import { password } from '../world.ts'

let server: RunningServer
let cookie: string
beforeAll(async () => {
  server = await startServer()
  const email = 'ana@juntas.test'
  await post(signUp.path, { name: 'Ana', username: 'ana', email, password })
  const session = await post('/account/sessions/email', { email, password })
  cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(async () => {
  await server.stop()
  rmSync(server.dataDir, { recursive: true, force: true })
})

const post = (path: string, body: unknown) =>
  fetch(`${server.url}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function send(upload: Upload): Promise<StoredFile> {
  const { body, headers } = await formOf(upload)
  const init = { method: 'POST', headers: { ...headers, cookie }, body: new Uint8Array(body) }
  const answer = await fetch(`${server.url}${filesPath}`, init)
  if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as StoredFile
}

const stored = async (id: string) =>
  (await (await fetch(`${server.url}${filesPath}/${id}`, { headers: { cookie } })).json()) as StoredFile

test('F11 UPL-10 a server killed while it makes a picture of the pieces makes it after its return', async () => {
  const bytes = await noisePng(2500, 2500)
  const last = Math.floor(bytes.length / (5 * 1024 * 1024))
  for (let number = 0; number < last; number += 1) await send({ ...pieceOf(bytes, number), fileId: 'killed' })
  const final = { ...pieceOf(bytes, last), continues: 'killed' }

  for (const wait of [20, 120, 300]) {
    const unanswered = send(final).then(
      () => 'answered',
      () => 'cut off',
    )
    await pause(wait)
    const { dataDir } = server
    await server.kill9()
    await unanswered
    server = await startServer({ dataDir })
    const found = await stored('killed')
    if (found.chunksUploaded === found.chunksTotal) break
    expect(found.chunksUploaded).toBe(last)
  }
  if ((await stored('killed')).signature === '') await send(final)

  expect(await stored('killed')).toMatchObject({ chunksUploaded: last + 1, mimeType: 'image/png' })
  const view = await fetch(`${server.url}${filesPath}/killed/view`, { headers: { cookie } })
  expect(Buffer.from(await view.arrayBuffer()).equals(Buffer.concat(sanitise(bytes).parts))).toBe(true)
  const blobs = storedIn(`${server.dataDir}/files`).filter((path) => !path.includes('/scratch/'))
  expect(blobs.map((path) => path.split('/').at(-1)).sort()).toEqual([
    '1280.webp',
    '320.webp',
    '64.webp',
    '640.webp',
    'original',
  ])
}, 120_000)
