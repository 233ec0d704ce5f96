import type { ServerResponse } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { createJpeg, createPng } from '#scripts/harness/image-fixtures.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import { type FakeInternet, startFakeInternet } from '../../../tests/doubles/fake-internet.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

let net: FakeInternet
let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  net = await startFakeInternet({ 'private.test': [['192.168.0.10']] })
  w = await createTestWorld({}, net.reach)
  ana = await w.join('Ana')
  const [red, small] = [await createJpeg('#c8321e', 900, 300), await createPng('#1e50c8', 32, 32)]
  const as = (type: string, body: Buffer | string) => (_: unknown, response: ServerResponse) =>
    response.setHeader('content-type', type).end(body)
  net.serve('/red.jpg', as('image/jpeg', red))
  net.serve('/red.txt', as('text/plain', red))
  net.serve('/evil.svg', as('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))
  net.serve('/huge.png', as('image/png', Buffer.alloc(2_000_001)))
  net.serve('/page', as('text/html', '<link rel="icon" href="/icon.png">'))
  net.serve('/icon.png', as('image/png', small))
  net.serve('/bare', as('text/html', '<p>no icon</p>'))
  net.serve('/inward', as('text/html', `<link rel="icon" href="${net.at('private.test', '/icon.png')}">`))
})
afterAll(async () => {
  await w.end()
  await net.end()
})

const get = (kind: 'image' | 'favicon', url: string, who: Pick<MemberClient, 'request'> = ana, more = '') =>
  who.request<{ type: string; message: string }>(
    'GET',
    `/v1/avatars/${kind}?url=${encodeURIComponent(url)}${more}`,
  )
const outcome = async (asked: ReturnType<typeof get>) => {
  const { status, body } = await asked
  return [status, body.type]
}

test('SDK-10 a remote picture is returned as a PNG that fills the box, and is fetched once a day', async () => {
  const url = net.at('site.test', '/red.jpg')
  const { status, headers, raw } = await get('image', url)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/png',
    'private, max-age=2592000',
  ])
  expect(await sharp(raw).metadata()).toMatchObject({ format: 'png', width: 400, height: 400 })
  const tall = await get('image', url, ana, '&width=50&height=120')
  expect(await sharp(tall.raw).metadata()).toMatchObject({ width: 50, height: 120 })
  const before = net.arrived.length
  await get('image', url)
  expect(net.arrived).toHaveLength(before)
})

test('SDK-10 the icon that a page links is 56 pixels wide; without a link the server requests /favicon.ico', async () => {
  const { headers, raw } = await get('favicon', net.at('site.test', '/page'))
  expect(headers['content-type']).toBe('image/png')
  expect(await sharp(raw).metadata()).toMatchObject({ width: 56, height: 56 })

  expect(await outcome(get('favicon', net.at('site.test', '/bare')))).toEqual([404, 'avatar_icon_not_found'])
  const ico = Buffer.alloc(40)
  ico.writeUInt32LE(0x00010000, 0)
  ico.writeUInt16LE(1, 4)
  ico.writeUInt32LE(18, 14)
  ico.writeUInt32LE(22, 18)
  net.serve('/favicon.ico', (_, response) => response.end(ico))
  const found = await get('favicon', net.at('other.test', '/bare'))
  expect(found.headers['content-type']).toBe('image/x-icon')
  expect(found.headers['content-security-policy']).toContain('sandbox')
  expect(found.raw.equals(ico)).toBe(true)
})

describe('refusals', () => {
  test.each([
    ['no picture behind the type', '/red.txt', 'avatar_image_not_found'],
    ['X01 an SVG', '/evil.svg', 'avatar_image_not_found'],
    ['X02 more than 2 MB', '/huge.png', 'avatar_remote_url_failed'],
    ['nothing', '/missing', 'avatar_remote_url_failed'],
  ])('%s is answered with 404', async (_, path, type) => {
    expect(await outcome(get('image', net.at('site.test', path)))).toEqual([404, type])
  })

  test.each([
    'http://localhost:3000/v1/avatars/image?url=x',
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1/',
    'http://site.test:22/',
  ])('X01 X03 the URL %s is answered with 404', async (url) => {
    for (const kind of ['image', 'favicon'] as const) {
      expect(await outcome(get(kind, url))).toEqual([404, 'avatar_remote_url_failed'])
    }
  })

  test('X01 the icon link of a page cannot reach a private address', async () => {
    net.arrived.length = 0
    await get('favicon', net.at('third.test', '/inward'))
    expect(net.arrived.filter((each) => each.startsWith('private.test'))).toEqual([])
  })

  test.each(['', 'file:///etc/passwd', 'ftp://site.test/', 'javascript:1', 'not a url', '//site.test'])(
    'the URL "%s" is answered with 400',
    async (url) => {
      expect(await outcome(get('image', url))).toEqual([400, 'general_argument_invalid'])
    },
  )

  test('visitors get 401, and members get 403 if REMOTE_IMAGES is off', async () => {
    expect(await outcome(get('image', net.at('site.test', '/red.jpg'), w.visitor))).toEqual([
      401,
      'general_unauthorized_scope',
    ])
    const off = await createTestWorld({ REMOTE_IMAGES: 'off' }, net.reach)
    const bea = await off.join('Bea')
    net.arrived.length = 0
    for (const kind of ['image', 'favicon'] as const) {
      expect(await outcome(get(kind, net.at('site.test', '/page'), bea))).toEqual([
        403,
        'general_access_forbidden',
      ])
      expect(await outcome(get(kind, 'nonsense', off.visitor))).toEqual([401, 'general_unauthorized_scope'])
    }
    expect(net.arrived).toEqual([])
    await off.end()
  })

  test('the eleventh fetch in a minute is answered with 429, and cached pictures do not count', async () => {
    stopClock()
    const shared = { 'x-forwarded-for': '203.0.113.7' }
    const cleo = await w.join('Cleo')
    await get('image', net.at('site.test', '/red.jpg'))
    const fetched = async (query: string) => {
      const url = encodeURIComponent(net.at('site.test', `/red.jpg${query}`))
      const { status } = await cleo.request('GET', `/v1/avatars/image?url=${url}`, undefined, shared)
      return status
    }
    const statuses: number[] = []
    for (let number = 0; number < 11; number += 1) statuses.push(await fetched(`?${number}`))
    expect(statuses).toEqual([...Array(10).fill(404), 429])
    expect(await fetched('')).toBe(200)
  })
})
