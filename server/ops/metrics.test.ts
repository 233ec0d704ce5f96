import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { runningVersion } from '../version.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ METRICS_TOKEN: 'un-secreto-bastante-largo' })
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const ask = async (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
  const { statusCode, payload } = await w.app.inject({
    url: '/metrics',
    headers: { host: 'localhost:3000', ...headers },
    remoteAddress,
  })
  return { status: statusCode, text: payload }
}

test('OPD-01 on this machine the operator reads the version and the results of requests by group', async () => {
  expect((await ask()).status).toBe(200)
  expect((await ana.request('GET', '/v1/feed')).status).toBe(200)
  expect((await ana.request('GET', '/v1/posts/nowhere')).status).toBe(404)
  const socket = await openTestSocket(w.app, { as: ana })
  const { text } = await ask()
  expect(text).toContain('juntas_http_request_seconds_count{about="feed",method="GET",status="200"} 1')
  expect(text).toContain('juntas_http_request_seconds_count{about="posts",method="GET",status="404"} 1')
  expect(text).toContain('juntas_live_listeners 1')
  expect(text).toMatch(/^juntas_database_connections [1-9]/m)
  expect(text).toContain('juntas_images_waiting 0')
  expect(text).toContain(`juntas_build_info{version="${runningVersion.version}",build=""} 1`)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  socket.close()
})

test('docs/metrics.md lists exactly the metrics that the server exports', async () => {
  const { text } = await ask()
  const served = [...text.matchAll(/^# TYPE (juntas_\w+) /gm)].map(([, name = '']) => name)
  const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8')
  const shown = [...page.matchAll(/\bjuntas_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
  expect(served.length).toBeGreaterThan(7)
  expect([...new Set(shown)].sort()).toEqual(served.sort())
})

test('requests to unknown paths create no metrics', async () => {
  for (const path of ['/v1/wp-login', '/wp-admin', '/v1/posts/%00', '/x'.repeat(50)])
    await ana.request('GET', path)
  const { text } = await ask()
  expect(text).not.toMatch(/wp-|%00|\/x/)
})

test('remote or proxied requests for metrics need the token', async () => {
  const token = { authorization: 'Bearer un-secreto-bastante-largo' }
  const elsewhere = '203.0.113.9'
  expect((await ask({}, elsewhere)).status).toBe(403)
  expect((await ask({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
  for (const host of ['evil.example', 'notlocalhost:3000', 'localhost.evil.example'])
    expect((await ask({ host })).status).toBe(403)
  expect((await ask({ authorization: 'Bearer otro' }, elsewhere)).status).toBe(403)
  expect((await ask(token, elsewhere)).status).toBe(200)
})
