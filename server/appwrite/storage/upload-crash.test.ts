import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  encodeMultipartUpload,
  type RawUploadRequest,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { createNoisePng } from '#scripts/harness/image-fixtures.ts'
import { type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import { sanitizeImage } from '#server/images/sanitize-image.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { testPassword } from '../../../tests/support/world.ts'

let server: RunningServer
let cookie: string
beforeAll(async () => {
  server = await startServer()
  const email = 'ana@juntas.test'
  await post(signUpOperation.path, { name: 'Ana', username: 'ana', email, password: testPassword })
  const session = await post('/account/sessions/email', { email, password: testPassword })
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

async function send(upload: RawUploadRequest): Promise<AppwriteFileResponse> {
  const { body, headers } = await encodeMultipartUpload(upload)
  const init = { method: 'POST', headers: { ...headers, cookie }, body: new Uint8Array(body) }
  const answer = await fetch(`${server.url}${appwriteFilesPath}`, init)
  if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as AppwriteFileResponse
}

const stored = async (id: string) =>
  (await (
    await fetch(`${server.url}${appwriteFilesPath}/${id}`, { headers: { cookie } })
  ).json()) as AppwriteFileResponse

test('F11 UPL-10 a server killed while it assembles an upload completes the upload after a restart', async () => {
  const bytes = await createNoisePng(2500, 2500)
  const last = Math.floor(bytes.length / (5 * 1024 * 1024))
  for (let number = 0; number < last; number += 1)
    await send({ ...sliceUploadChunk(bytes, number), fileId: 'killed' })
  const final = { ...sliceUploadChunk(bytes, last), continues: 'killed' }

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
  const view = await fetch(`${server.url}${appwriteFilesPath}/killed/view`, { headers: { cookie } })
  expect(Buffer.from(await view.arrayBuffer()).equals(Buffer.concat(sanitizeImage(bytes).parts))).toBe(true)
  const blobs = listFilePathsBelow(`${server.dataDir}/files`).filter((path) => !path.includes('/scratch/'))
  expect(blobs.map((path) => path.split('/').at(-1)).sort()).toEqual([
    '1280.webp',
    '320.webp',
    '64.webp',
    '640.webp',
    'original',
  ])
})
