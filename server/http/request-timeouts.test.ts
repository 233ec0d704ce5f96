import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { type FastifyInstance, fastify } from 'fastify'
import { beforeEach, expect, test, vi } from 'vitest'
import { patienceMs } from '#tests/support/wait-for.ts'
import { buildErrorBody, type Failure, throwFailure } from '../errors.ts'
import { enforceBodyTimeout, enforceResponseTimeout, enforceVisitorBodyTimeout } from './request-timeouts.ts'

const timeoutMs = 200

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  return () => void vi.useRealTimers()
})

/** Emits `begun` when the timeout of a request runs. */
function emitBegun(app: FastifyInstance): EventEmitter {
  const arrivals = new EventEmitter()
  app.addHook('preParsing', async () => void arrivals.emit('begun'))
  return arrivals
}

test('D01 an endless JSON body gets 408 and a closed connection, and uploads may take longer', async () => {
  const app = fastify()
  enforceBodyTimeout(app, timeoutMs)
  const arrivals = emitBegun(app)
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  app.post('/v1/posts', async () => 'stored')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  const begin = async (type: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /v1/posts HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`,
    )
    return socket
  }
  const begun = once(arrivals, 'begun')
  const json = await begin('application/json')
  await begun
  vi.advanceTimersByTime(timeoutMs)
  const [answer] = await once(json, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*general_request_timeout/s)
  await once(json, 'close')
  const upload = await begin('multipart/form-data; boundary=x')
  const [stored] = await once(upload, 'data')
  expect(String(stored)).toMatch(/^HTTP\/1\.1 200/)
  upload.destroy()
  await app.close()
})

async function receiving() {
  const app = fastify()
  let size = 0
  app.setErrorHandler((error, _request, reply) => {
    const failure = error as Failure
    return reply.status(failure.status ?? 500).send(buildErrorBody(failure))
  })
  enforceBodyTimeout(app, timeoutMs)
  const arrivals = emitBegun(app)
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
  app.post('/taken', async ({ raw }) => {
    size = 0
    const ended = new Promise((resolve, reject) => raw.once('end', resolve).once('error', reject))
    raw.on('data', (bytes: Buffer) => {
      size += bytes.length
      arrivals.emit('bytes')
    })
    await ended
    return String(size)
  })
  app.post('/refused', async (_request, reply) => reply.status(429).send('later'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const begin = async (path: string, length: number) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`,
    )
    return socket
  }
  return { app, begin, arrivals, received: () => size }
}

test('D01 an upload of single bytes gets 408 and a closed connection, and a slow upload arrives', async () => {
  const { app, begin, received, arrivals } = await receiving()
  const bytes = once(arrivals, 'bytes')
  const trickle = await begin('/taken', 100_000)
  trickle.write('x')
  await bytes
  vi.advanceTimersByTime(timeoutMs)
  const [answer] = await once(trickle, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*connection: close.*general_request_timeout/s)
  await new Promise((resolve) => trickle.once('close', resolve))

  // The client sends at three times the minimum rate for several intervals.
  const begun = once(arrivals, 'begun')
  const slow = await begin('/taken', 3000)
  await begun
  const answered = once(slow, 'data')
  for (let expected = 600; expected < 3000; expected += 600) {
    slow.write('x'.repeat(600))
    while (received() < expected) await once(arrivals, 'bytes')
    vi.advanceTimersByTime(timeoutMs)
  }
  slow.write('x'.repeat(600))
  const [taken] = await answered
  expect(String(taken)).toMatch(/^HTTP\/1\.1 200 .*\r\n3000$/s)
  slow.destroy()
  await app.close()
})

test('D01 a refused client that keeps sending slowly is disconnected', async () => {
  const { app, begin } = await receiving()
  const trickle = await begin('/refused', 100_000)
  const [answer] = await once(trickle, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 429 /)
  trickle.write('x')
  vi.advanceTimersByTime(timeoutMs)
  // The connection may be reset while the client still sends.
  await new Promise((resolve) => trickle.once('close', resolve))
  await app.close()
})

test('D01 a request refused before its body is read leaves no timer', async () => {
  const app = fastify()
  enforceBodyTimeout(app)
  app.addHook('onRequest', (_request, reply) => reply.status(401).send('who?'))
  app.post('/v1/posts', async () => 'stored')
  await app.ready()
  const before = vi.getTimerCount()
  for (let times = 0; times < 20; times += 1) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/v1/posts',
      payload: { caption: 'hola' },
    })
    expect(statusCode).toBe(401)
  }
  expect(vi.getTimerCount()).toBe(before)
  await app.close()
})

test('D01 a client that does not read its response is disconnected, and a client that reads gets the whole response', async () => {
  const size = 64 * 1024 * 1024
  let given = 0
  const bytes = () =>
    Readable.from(
      (function* () {
        for (given = 0; given < size; given += 65_536) yield Buffer.alloc(65_536)
      })(),
    )
  const serve = async (timeoutMs: number) => {
    const app = fastify()
    enforceResponseTimeout(app, timeoutMs)
    app.get('/v1/large', async (_request, reply) => reply.send(bytes()))
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { app, port: (app.server.address() as AddressInfo).port }
  }

  const patient = await serve(patienceMs)
  const reader = await fetch(`http://127.0.0.1:${patient.port}/v1/large`)
  expect((await reader.arrayBuffer()).byteLength).toBe(size)
  await patient.app.close()

  const { app, port } = await serve(300)

  const ended = new Promise((resolve) => {
    app.server.once('connection', (connection) => connection.once('close', resolve))
  })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).pause()
  socket.write('GET /v1/large HTTP/1.1\r\nHost: x\r\n\r\n')
  await ended
  expect(given).toBeLessThan(size)
  socket.destroy()
  await app.close()
})

test('D01 a visitor has less time to send a body, and the connection closes after the response', async () => {
  const app = fastify()
  enforceBodyTimeout(app)
  app.decorateRequest('caller', null)
  app.addHook('preParsing', async (request) => {
    if (request.headers.cookie) request.caller = {} as typeof request.caller
  })
  enforceVisitorBodyTimeout(app, timeoutMs)
  const arrivals = emitBegun(app)
  app.setErrorHandler((error, _request, reply) => reply.status(401).send(buildErrorBody(error as Failure)))
  const route = { preParsing: async () => throwFailure('general_unauthorized_scope') }
  app.post('/v1/sessions', async () => 'stored')
  app.post('/v1/refused', route, async () => 'never')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const begin = async (path: string, cookie = '') => {
    const begun = once(arrivals, 'begun')
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${cookie}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
    )
    await begun
    return socket
  }
  const member = await begin('/v1/sessions', 'Cookie: a=b\r\n')
  const visitor = await begin('/v1/sessions')
  vi.advanceTimersByTime(timeoutMs)
  const [answer] = await once(visitor, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*general_request_timeout/s)
  await once(visitor, 'close')
  const refused = await begin('/v1/refused')
  expect(String((await once(refused, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /)
  await once(refused, 'close')
  member.write('}')
  expect(String((await once(member, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  member.destroy()
  await app.close()
})
