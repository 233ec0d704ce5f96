import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { waitFor } from '#tests/support/wait-for.ts'
import { buildErrorBody, type Failure } from '../errors.ts'
import { limitUnreadResponseBytes } from './unread-response-limit.ts'

/** The response has more bytes than the kernel's buffers hold. */
const large = 20_000_000

async function server() {
  const app = fastify()
  let worked = 0
  app.decorateRequest('caller', null)
  app.setErrorHandler((error, _request, reply) => {
    const failure = error as unknown as Failure
    return reply.status(failure.status).send(buildErrorBody(failure))
  })
  app.addHook('preParsing', async (request) => {
    const account = Number(request.headers['x-account'] ?? 0)
    if (account) request.caller = { account: { id: account } } as never
  })
  limitUnreadResponseBytes(app, 2.5 * large)
  app.get('/large', async () => {
    worked += 1
    return 'x'.repeat(large)
  })
  app.get('/small', async () => 'x')
  app.get('/stream', async (_request, reply) => reply.send(Readable.from(['x'.repeat(large)])))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  const ask = async (account: number, path = '/large') => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Account: ${account}\r\nConnection: close\r\n\r\n`)
    const [head] = await once(socket, 'data')
    socket.pause()
    return { socket, status: Number(String(head).slice(9, 12)) }
  }
  return { app, ask, worked: () => worked }
}

const read = async (socket: Socket) => {
  socket.resume()
  await once(socket, 'close')
}

test('R16 an account with too many unread responses is refused until it reads them, and other accounts are served', async () => {
  const { app, ask, worked } = await server()
  const [first, second] = [await ask(1), await ask(1)]
  expect([first.status, second.status]).toEqual([200, 200])
  expect((await ask(1)).status).toBe(429)
  expect((await ask(2)).status).toBe(200)
  expect((await ask(1, '/small')).status).toBe(200)
  await read(first.socket)
  await waitFor(async () => expect((await ask(1)).status).toBe(200))
  second.socket.destroy()
  await waitFor(async () => expect((await ask(1)).status).toBe(200))
  expect(worked()).toBeGreaterThan(0)
  app.server.closeAllConnections()
  await app.close()
})

test('R16 simultaneous requests are counted individually, and streams are exempt', async () => {
  const { app, ask } = await server()
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(3)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429, 429])
  expect((await ask(3, '/stream')).status).toBe(200)
  app.server.closeAllConnections()
  await app.close()
})
