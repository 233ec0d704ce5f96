import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '#tests/sockets.ts'
import { type Person, type World, world } from '#tests/world.ts'

let w: World
let ana: Person
beforeAll(async () => {
  w = await world({ METRICS_TOKEN: 'un-secreto-bastante-largo' })
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

test('the operator reads on this machine how requests went, by what they were about', async () => {
  expect((await ask()).status).toBe(200)
  expect((await ana.request('GET', '/v1/feed')).status).toBe(200)
  expect((await ana.request('GET', '/v1/posts/nowhere')).status).toBe(404)
  const socket = await openSocket(w.app, { as: ana })
  const { text } = await ask()
  expect(text).toContain('juntas_http_request_seconds_count{about="feed",method="GET",status="200"} 1')
  expect(text).toContain('juntas_http_request_seconds_count{about="posts",method="GET",status="404"} 1')
  expect(text).toContain('juntas_live_listeners 1')
  expect(text).toMatch(/^juntas_database_connections [1-9]/m)
  expect(text).toContain('juntas_images_waiting 0')
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  socket.close()
})

test('addresses that strangers invent make no series of their own', async () => {
  for (const path of ['/v1/wp-login', '/wp-admin', '/v1/posts/%00', '/x'.repeat(50)])
    await ana.request('GET', path)
  const { text } = await ask()
  expect(text).not.toMatch(/wp-|%00|\/x/)
})

test('from elsewhere, or through a proxy, nobody reads them without the token', async () => {
  const token = { authorization: 'Bearer un-secreto-bastante-largo' }
  const elsewhere = '203.0.113.9'
  expect((await ask({}, elsewhere)).status).toBe(403)
  expect((await ask({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
  expect((await ask({ host: 'evil.example' })).status).toBe(403)
  expect((await ask({ authorization: 'Bearer otro' }, elsewhere)).status).toBe(403)
  expect((await ask(token, elsewhere)).status).toBe(200)
})
