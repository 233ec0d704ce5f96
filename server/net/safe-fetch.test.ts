import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeInternet, startFakeInternet } from '#tests/doubles/fake-internet.ts'
import { stopClock } from '#tests/support/stop-clock.ts'
import { createSafeFetch } from './safe-fetch.ts'

let net: FakeInternet
beforeEach(async () => {
  net = await startFakeInternet({
    'rebinding.test': [['127.0.0.1'], ['10.0.0.1']],
    'private.test': [['192.168.0.10']],
    'mixed.test': [['127.0.0.1', '::1']],
    'nowhere.test': [[]],
  })
  net.serve('/picture', (_, response) => {
    response.setHeader('content-type', 'image/png; charset=x')
    response.end('a picture')
  })
})
beforeEach(stopClock)
afterEach(() => net.end())

const limits = { connect: 3000, total: 5000 }
const remote = () => createSafeFetch(['juntas.test'], net.reach, limits)
const get = (url: string, wanted: { bytes: number; cut?: boolean } = { bytes: 1000 }) =>
  remote().begin()(new URL(url), wanted)
const failed = { type: 'avatar_remote_url_failed', status: 404 }

function redirect(path: string, location: string, status = 302): void {
  net.serve(path, (_, response) => response.writeHead(status, { location }).end())
}

test('a remote picture is fetched with its type, and no credentials are sent', async () => {
  let sent: Record<string, unknown> = {}
  net.serve('/who', (request, response) => {
    sent = request.headers
    response.end('x')
  })
  await get(net.at('site.test', '/who'))
  expect(Object.keys(sent).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  const { type, body, url } = await get(net.at('site.test', '/picture'))
  expect([type, body.toString(), url.hostname]).toEqual(['image/png', 'a picture', 'site.test'])
})

test('three redirects are followed, and a fourth is refused', async () => {
  for (const hop of [1, 2, 3]) redirect(`/${hop}`, hop === 1 ? '/picture' : `/${hop - 1}`, 300 + hop)
  redirect('/4', '/3', 308)
  redirect('/3', '/2', 307)
  expect((await get(net.at('site.test', '/3'))).body.toString()).toBe('a picture')
  await expect(get(net.at('site.test', '/4'))).rejects.toMatchObject(failed)
})

test.each([
  'http://private.test:PORT/picture',
  'http://10.0.0.1:PORT/picture',
  'http://[::1]:PORT/picture',
  'http://127.0.0.2:PORT/picture',
  'http://juntas.test:PORT/picture',
  'http://ana:secret@other.test:PORT/picture',
  'http://other.test:22/picture',
  'file:///etc/passwd',
  'gopher://other.test:PORT/picture',
  'http://',
])('X01 a redirect to %s is not followed', async (location) => {
  const port = String(net.reach.ports[0])
  redirect('/away', location.replace('PORT', port))
  await expect(get(net.at('site.test', '/away'))).rejects.toMatchObject(failed)
  expect(net.arrived).toEqual(['site.test /away'])
})

test('X01 a host name is resolved once per connection, against DNS rebinding', async () => {
  redirect('/again', '/picture')
  await expect(get(net.at('rebinding.test', '/again'))).rejects.toMatchObject(failed)
  expect(net.arrived).toEqual(['rebinding.test /again'])
})

test.each(['private.test', 'mixed.test', 'nowhere.test', 'juntas.test', 'JUNTAS.test.', '[::1]'])(
  'X01 X03 the server never connects to %s',
  async (host) => {
    await expect(get(net.at(host, '/picture'))).rejects.toMatchObject(failed)
    expect(net.arrived).toEqual([])
  },
)

test.each(['slow', 'silent'])('X02 the server gives up on a %s picture', async (kind) => {
  const asked = Promise.withResolvers<ServerResponse>()
  net.serve('/late', (_, response) => asked.resolve(response))
  const failing = expect(get(net.at('site.test', '/late'))).rejects.toMatchObject(failed)
  const response = await asked.promise
  for (let passed = 0; passed < limits.total; passed += 1000) {
    if (kind === 'slow') response.write('x')
    vi.advanceTimersByTime(1000)
  }
  await failing
})

test('X02 the server gives up on an endless picture', async () => {
  net.serve('/endless', (_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  await expect(get(net.at('site.test', '/endless'))).rejects.toMatchObject(failed)
})

test('X02 the requests of one sequence share one time limit', async () => {
  const asked = Promise.withResolvers<void>()
  net.serve('/silence', () => asked.resolve())
  const together = remote().begin()
  await together(new URL(net.at('site.test', '/picture')), { bytes: 10 })
  vi.advanceTimersByTime(limits.total * 0.6)
  const failing = expect(
    together(new URL(net.at('site.test', '/silence')), { bytes: 10 }),
  ).rejects.toMatchObject(failed)
  await asked.promise
  vi.advanceTimersByTime(limits.total * 0.4)
  await failing
})

test('X02 a compression bomb is not decompressed', async () => {
  net.serve('/bomb', (_, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1e7)))
  })
  await expect(get(net.at('site.test', '/bomb'))).rejects.toMatchObject(failed)
})

test('a body over the limit is refused, or truncated if requested', async () => {
  const url = net.at('site.test', '/picture')
  expect((await get(url, { bytes: 9 })).body.length).toBe(9)
  await expect(get(url, { bytes: 8 })).rejects.toMatchObject(failed)
  expect((await get(url, { bytes: 4, cut: true })).body.toString()).toBe('a pi')
})
