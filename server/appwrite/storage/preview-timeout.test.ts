import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ApiResponse, MemberClient } from '#api-client/member-client.ts'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { patienceMs } from '../../../tests/support/wait-for.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let photo: string
let bea: MemberClient
let beas: string
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  const picture = await createJpeg('#3c8c50', 4000, 3000)
  photo = await ana.upload(picture)
  beas = await bea.upload(picture)
})
afterAll(() => w.end())

const preview = (query: string, headers = {}) =>
  ana.request('GET', `${appwriteFilesPath}/${photo}/preview?${query}`, undefined, headers)

/** The parameters of a preview that takes a second or more to render. */
const heavy = (n: number) => `width=1900&height=${1900 - n}&rotation=45&borderRadius=900&output=gif`

/** Repeats a request until its picture is rendered. */
const patiently = (check: () => Promise<void>) => vi.waitFor(check, { timeout: patienceMs, interval: 500 })

test('D07 while other pictures are decoded, a viewer gets an existing picture or is asked to retry', async () => {
  let made = 0
  const parameters = async (asked: Promise<ApiResponse>) => {
    const answer = await asked
    made += answer.status === 200 ? 1 : 0
    return answer
  }
  // Bea and Ana fill the slots for slow pictures, but slots for Ana's next pictures remain.
  const parameterSets = Array.from({ length: 13 }, (_, n) =>
    n < 8
      ? parameters(bea.request('GET', `${appwriteFilesPath}/${beas}/preview?${heavy(n)}`))
      : parameters(preview(heavy(n))),
  )

  // One of the requests has been answered, so the others came before the requests below.
  await Promise.race(parameterSets)
  const [plain, webp, narrow] = await Promise.all([
    preview(''),
    preview('', { accept: 'image/webp' }),
    preview('width=100', { accept: 'image/webp' }),
  ])
  expect(made).toBeLessThan(parameterSets.length)
  for (const answer of [plain, webp, narrow]) {
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('private, no-store')
  }
  const { raw } = await ana.request('GET', `${appwriteFilesPath}/${photo}/view`)
  expect(plain.raw.equals(raw)).toBe(true)
  expect(plain.headers['content-type']).toBe('image/jpeg')
  const ready = (width: number) => preview(`width=${width}`, { accept: 'image/webp' })
  for (const [standIn, width] of [
    [webp, 1280],
    [narrow, 320],
  ] as const) {
    const { raw, headers } = await ready(width)
    expect([standIn.raw.equals(raw), standIn.headers.etag]).toEqual([true, headers.etag])
  }

  const answers = await Promise.all(parameterSets)
  const late = answers.filter(({ status }) => status !== 200)
  expect(late.length).toBeGreaterThan(0)
  for (const { status, headers, body } of late as ApiResponse<{ type: string }>[]) {
    expect([status, body.type, headers['retry-after']]).toEqual([
      503,
      'general_service_unavailable',
      expect.anything(),
    ])
  }

  // A retry succeeds when the server has time again.
  await patiently(async () => expect((await preview('')).headers.etag).not.toBe(plain.headers.etag))
  await patiently(async () => expect((await preview(heavy(8))).status).toBe(200))
})
