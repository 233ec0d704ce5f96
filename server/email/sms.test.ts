import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

type Received = { method?: string; path?: string; authorization?: string; body: { to: string; text: string } }

const received: Received[] = []
let refusals = 0
const gateway = createServer(async (request, response) => {
  const body = (await json(request)) as Received['body']
  if (refusals > 0) {
    refusals -= 1
    return response.writeHead(503).end()
  }
  received.push({
    method: request.method,
    path: request.url,
    authorization: request.headers.authorization,
    body,
  })
  response.writeHead(202).end()
})

let w: TestWorld
beforeAll(async () => {
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  w = await createTestWorld({ SMS_URL: `http://juntas:s%C3%AD@127.0.0.1:${port}/send?from=Juntas` })
})
afterAll(async () => {
  await w.end()
  gateway.closeAllConnections()
  gateway.close()
})

const arriving = (phone: string) =>
  waitFor(() => {
    const found = received.find(({ body }) => body.to === phone)
    expect(found).toBeDefined()
    return found as Received
  })

test('a code is sent through the configured SMS gateway and opens a session', async () => {
  const asked = await w.visitor.request<{ userId: string }>('POST', '/v1/account/sessions/phone', {
    userId: 'unique()',
    phone: '+34600111222',
  })
  expect(asked.status).toBe(201)
  const message = await arriving('+34600111222')
  expect(message).toMatchObject({
    method: 'POST',
    path: '/send?from=Juntas',
    authorization: `Basic ${Buffer.from('juntas:sí').toString('base64')}`,
  })
  const secret = /\d{6}/.exec(message.body.text)?.[0]
  const begun = await w.visitor.request('PUT', '/v1/account/sessions/phone', {
    userId: asked.body.userId,
    secret,
  })
  expect(begun.status).toBe(201)
  expect((await w.visitor.request<object[]>('GET', '/dev/outbox')).body).toEqual([])
})

test('a message that the SMS gateway first refuses is sent again', async () => {
  refusals = 1
  await w.visitor.request('POST', '/v1/account/tokens/phone', { userId: 'unique()', phone: '+34600111333' })
  await arriving('+34600111333')
  expect(refusals).toBe(0)
})
