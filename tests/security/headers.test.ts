import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { listenAndGetRealtimeUrl } from '../support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '../support/world.ts'

let w: TestWorld
let ana: MemberClient
let file: string
let asset: string
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  const imageId = await ana.upload(await createJpeg())
  await ana.call(createPostOperation, { caption: 'una foto', location: 'Lima', tags: [], imageId })
  file = `/v1/storage/buckets/media/files/${imageId}`
  const built = join(import.meta.dirname, '../../dist/web/assets')
  asset = `/assets/${readdirSync(built).find((name) => name.endsWith('.js'))}`
})
afterAll(() => w.end())

const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), camera=(), microphone=()',
  'x-robots-tag': 'noindex',
}
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self' ws://localhost:3000",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types juntas-worker',
].join('; ')
const filePolicy = "default-src 'none'; sandbox"

const kinds: [kind: string, method: string, path: () => string, status: number, cache: string | undefined][] =
  [
    ['a page', 'GET', () => '/', 200, 'no-cache'],
    ['a page deep inside', 'GET', () => '/posts/algo', 200, 'no-cache'],
    ['a script', 'GET', () => asset, 200, 'public, max-age=31536000, immutable'],
    ['an icon of the app', 'GET', () => '/favicon.svg', 200, 'no-cache'],
    ['the manifest', 'GET', () => '/manifest.webmanifest', 200, 'no-cache'],
    ['the service worker', 'GET', () => '/sw.js', 200, 'no-cache'],
    ['robots.txt', 'GET', () => '/robots.txt', 200, 'no-cache'],
    ['a nonexistent file', 'GET', () => '/.env', 404, 'no-store'],
    ['an asset of an earlier version', 'GET', () => '/assets/old.js', 404, 'no-store'],
    ['an answer of the product API', 'GET', () => '/v1/me', 200, 'no-store'],
    ['an answer of the Appwrite account API', 'GET', () => '/v1/account', 200, 'no-store'],
    ['documents', 'GET', () => '/v1/databases/main/collections/posts/documents', 200, 'no-store'],
    ['no content', 'DELETE', () => '/v1/posts/nadie/like', 404, 'no-store'],
    ['an unknown path', 'GET', () => '/v1/nothing', 404, 'no-store'],
    ['a malformed request', 'POST', () => '/v1/posts', 400, 'no-store'],
    ['an unsupported method', 'PUT', () => '/v1/me', 405, 'no-store'],
    ['an address that cannot be decoded', 'GET', () => '/%ff', 400, 'no-store'],
    ['health', 'GET', () => '/health/live', 200, 'no-store'],
    ['the page of an emailed link', 'GET', () => '/v1/auth/recovery', 200, 'no-store'],
    ['its style', 'GET', () => '/v1/auth/email-link-pages.css', 200, 'public, max-age=3600'],
    ['an avatar', 'GET', () => '/v1/avatars/initials?name=Ana', 200, undefined],
    ['the metadata of a file', 'GET', () => file, 200, 'no-store'],
    ['a file', 'GET', () => `${file}/view`, 200, 'private, no-cache'],
    ['a download', 'GET', () => `${file}/download`, 200, 'private, no-cache'],
    ['a preview', 'GET', () => `${file}/preview?width=64`, 200, 'private, no-cache'],
    ['no such file', 'GET', () => '/v1/storage/buckets/media/files/nadie/view', 404, 'no-store'],
  ]

describe('preload hints of a page', () => {
  const readHeaders = async (
    asking: Pick<MemberClient, 'request'>,
    path: string,
    headers?: Record<string, string>,
  ) => {
    const answer = await asking.request('GET', path, undefined, headers)
    expect(answer.headers.vary).toContain('Cookie')
    // With an ETag, a browser's copy would survive the sign-out.
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.headers['last-modified']).toBeUndefined()
    return answer.headers.link?.split(', ') ?? []
  }
  const answers = (links: string[]) => links.flatMap((link) => /<(\/v1.*?)>/.exec(link)?.[1] ?? [])

  test('a member gets preload hints for Home that match the requests of the web app', async () => {
    const links = await readHeaders(ana, '/')
    expect(answers(links)).toEqual(['/v1/me/session', '/v1/me', '/v1/feed', '/v1/people?limit=10&who=others'])
    expect(links).toContain('</v1/feed>; rel=preload; as=fetch; crossorigin=use-credentials')
    const code = links.filter((link) => /^<\/assets\/[\w-]+\.js>; rel=modulepreload$/.test(link))
    expect(code.length + answers(links).length).toBe(links.length)
    expect(code.some((link) => link.includes('/member-'))).toBe(true)
  })

  test('preload hints for other pages depend only on the path of the page', async () => {
    expect(answers(await readHeaders(ana, '/posts/algo?x=1'))).toEqual([
      '/v1/me/session',
      '/v1/me',
      '/v1/posts/algo',
    ])
    for (const path of ['/posts/%3E%2C%3Chttps:', '/posts/a>,<b', '/nowhere', '/groups/create']) {
      expect(answers(await readHeaders(ana, path))).toEqual(['/v1/me/session', '/v1/me'])
    }
  })

  test('a visitor or former member gets no preload hints', async () => {
    expect(await readHeaders(w.visitor, '/')).toEqual([])
    expect(
      await readHeaders(w.visitor, '/', { cookie: 'a_session_juntas=eyJpZCI6ImEiLCJzZWNyZXQiOiJiIn0=' }),
    ).toEqual([])
    const bea = await w.join('Bea')
    expect(await readHeaders(bea, '/')).not.toEqual([])
    await bea.request('DELETE', '/v1/account/sessions/current')
    expect(await readHeaders(bea, '/')).toEqual([])
  })
})

describe('security headers', () => {
  test.each(kinds)('%s has the security headers', async (_, method, path, status, cache) => {
    const answer = await ana.request(method, path(), method === 'POST' ? {} : undefined)
    expect(answer.status).toBe(status)
    const isEmailLinkPage = path().startsWith('/v1/auth/recovery')
    // Avatars are generated from text, so other sites may embed them.
    const isAvatar = path().startsWith('/v1/avatars')
    const isFile = /(view|download|preview)/.test(path()) && status === 200
    expect(answer.headers).toMatchObject({
      ...everywhere,
      // This page's form must send its origin.
      ...(isEmailLinkPage ? { 'referrer-policy': 'same-origin' } : {}),
      ...(isAvatar ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
      'content-security-policy': isFile || isAvatar ? filePolicy : pagePolicy,
      ...(cache ? { 'cache-control': cache } : {}),
    })
    if (/^\/v1/.test(path())) expect(answer.headers.vary).toContain('Origin')
    for (const gone of ['server', 'x-powered-by', 'strict-transport-security']) {
      expect(answer.headers[gone]).toBeUndefined()
    }
  })

  test('a range, an unchanged file and an impossible range have the security headers', async () => {
    const { headers } = await ana.request('GET', `${file}/view`)
    const asked: [Record<string, string>, number][] = [
      [{ range: 'bytes=0-9' }, 206],
      [{ 'if-none-match': headers.etag ?? '' }, 304],
      [{ range: 'bytes=999999999-' }, 416],
    ]
    for (const [given, status] of asked) {
      const answer = await ana.request('GET', `${file}/view`, undefined, given)
      expect(answer.status).toBe(status)
      expect(answer.headers).toMatchObject({ ...everywhere, 'content-security-policy': filePolicy })
    }
  })

  test('a preflight and a redirect have the security headers', async () => {
    const preflight = await w.visitor.request('OPTIONS', '/v1/account', undefined, {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'PATCH',
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({ ...everywhere, 'access-control-allow-credentials': 'true' })
    const url = 'http://localhost:3000/'
    const redirect = await w.visitor.request(
      'GET',
      `/v1/account/sessions/oauth2/callback/nobody/juntas?state=x&code=y&u=${url}`,
    )
    expect(redirect.headers).toMatchObject(everywhere)
  })

  test.each([
    [
      'a socket from a foreign page',
      'GET /v1/realtime HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      403,
      'general_unknown_origin',
    ],
    [
      'D02 twenty kilobytes of headers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'general_headers_too_large',
    ],
    [
      'D02 an address of twenty kilobytes',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      431,
      'general_headers_too_large',
    ],
    [
      'D02 two thousand headers',
      `GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${'x: 1\r\n'.repeat(2000)}\r\n`,
      431,
      'general_headers_too_large',
    ],
    ['a request that is not HTTP', 'EHLO juntas\r\n\r\n', 400, 'general_argument_invalid'],
    [
      'two lengths',
      'POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'general_argument_invalid',
    ],
  ])('%s is refused with the security headers', async (_, bytes, status, type) => {
    const text = await sendRaw(bytes)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(/: (.*)/).slice(0, 2)),
    )
    expect(headers).toMatchObject({ ...everywhere, 'cache-control': 'no-store' })
    expect(JSON.parse(body)).toMatchObject({ code: status, type })
  })
})

describe('D01 slow clients', () => {
  test('a client that sends headers slowly is refused within seconds and disconnected', async () => {
    const text = await sendRaw('GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    expect(text).toMatch(/^HTTP\/1.1 408 .*general_request_timeout/s)
  })

  test('the server limits the duration and number of connections, so that slow clients do not block others', () => {
    expect(w.app.server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 600_000,
      keepAliveTimeout: 15_000,
      maxRequestsPerSocket: 1000,
      maxConnections: 6000,
    })
  })
})

async function sendRaw(bytes: string): Promise<string> {
  const { port } = new URL(await listenAndGetRealtimeUrl(w.app))
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

describe('in production', () => {
  let production: TestWorld
  const far = { host: 'juntas.example', 'x-forwarded-proto': 'https', origin: 'https://juntas.example' }
  beforeAll(async () => {
    production = await createTestWorld({ NODE_ENV: 'production', PUBLIC_URL: 'https://juntas.example' })
    await production.database.pool.query('insert into community (set_up_at) values (clock_timestamp())')
  })
  afterAll(() => production.end())

  test('the session cookie is bound to this host, hidden from scripts and never sent unencrypted', async () => {
    const password = 'correcta caballo pila grapa'
    const email = 'ana@juntas.test'
    const form = { name: 'Ana', username: 'ana', email, password }
    await production.visitor.request('POST', '/v1/members', form, far)
    const session = await production.visitor.request(
      'POST',
      '/v1/account/sessions/email',
      { email, password },
      far,
    )
    expect(session.status).toBe(201)
    for (const cookie of (session.headers['set-cookie'] ?? '').split('\n')) {
      expect(cookie).toMatch(/^__Host-(a_session|device)_juntas=/)
      expect(cookie).toMatch(/; Path=\/; /)
      expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax/)
      expect(cookie).not.toMatch(/Domain/i)
    }
    expect(session.headers['x-fallback-cookies']).toBeUndefined()
    const cookie = session.headers['set-cookie']?.split(';')[0] ?? ''
    const gone = await production.visitor.request('DELETE', '/v1/account/sessions/current', undefined, {
      ...far,
      cookie,
    })
    expect(gone.headers).toMatchObject({
      'clear-site-data': '"cache"',
      'set-cookie': expect.stringMatching(/Expires=Thu, 01 Jan 1970/),
    })
  })

  test('browsers are required to use https, and the outbox does not exist', async () => {
    const page = await production.visitor.request('GET', '/health/live', undefined, far)
    expect(page.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    expect(page.headers['content-security-policy']).toContain("connect-src 'self' wss://juntas.example")
    expect((await production.visitor.request('GET', '/dev/outbox')).status).toBe(404)
  })

  test.each([
    'https://evil.example',
    'null',
    'http://localhost:5173',
    'https://juntas.example.evil',
    'https://sub.juntas.example',
    'https://juntas.example:8443',
    'http://juntas.example',
  ])('X08 a page at %s can read nothing and write nothing', async (origin) => {
    const read = await production.visitor.request('GET', '/v1/ping', undefined, { ...far, origin })
    expect(read.headers['access-control-allow-origin']).toBeUndefined()
    const write = await production.visitor.request('POST', '/v1/members', {}, { ...far, origin })
    expect(write).toMatchObject({ status: 403, body: { type: 'general_unknown_origin' } })
  })
})
