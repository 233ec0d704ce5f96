import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ApiResponse, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { appwriteFilesPath } from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { signalProcesses } from '#scripts/harness/server-process.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { createTestDatabase } from '../../../tests/support/database.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { testPassword } from '../../../tests/support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-flood-'))
let logged = ''
let app: FastifyInstance
let database: Database
let ana: MemberClient
let bea: MemberClient
let photo: string
beforeAll(async () => {
  database = await createTestDatabase()
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'http://localhost:3000' })
  const sink = new Writable({
    write(chunk, _, done) {
      logged += chunk
      done()
    },
  })
  app = await buildApp({ config, log: createServerLogger('warn', sink), database })
  const join = (name: string) =>
    signUpAndSignIn(app, { name, username: name, email: `${name}@juntas.test`, password: testPassword })
  ana = await join('ana')
  bea = await join('bea')
  photo = await ana.upload(await createJpeg('#3c8c50', 1000, 750))
})
afterAll(async () => {
  await app.close()
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Kills the decoder processes, including the process for slow pictures. */
function stopDecoders(): void {
  const running = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  for (const line of running.split('\n')) {
    const [pid, parent, ...args] = line.trim().split(/\s+/)
    if (Number(parent) === process.pid && args.join(' ').includes('image-worker')) stopped.push(Number(pid))
  }
  expect(stopped).not.toHaveLength(0)
  signalProcesses('SIGSTOP', stopped)
}
const stopped: number[] = []
const goOn = () => signalProcesses('SIGCONT', stopped.splice(0))
afterEach(goOn)

let parameterSets = 0
const parameters = () => {
  parameterSets += 1
  return `${appwriteFilesPath}/${photo}/preview?output=gif&borderRadius=${parameterSets}`
}

const waiting = async () => {
  const { raw } = await bea.request('GET', '/metrics')
  return Number(/^juntas_images_waiting (\d+)$/m.exec(String(raw))?.[1])
}

test('D07 if ana requests a hundred previews at once, most are refused immediately and the rest after a wait', async () => {
  stopDecoders()
  const first = parameters()
  const paths = [first, ...Array.from({ length: 99 }, parameters)]
  const answers = await Promise.all(paths.map((path) => ana.request<{ message: string }>('GET', path)))
  const saying = (text: string) => answers.filter(({ body }) => body.message.includes(text))
  for (const { status, headers } of answers) {
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true])
  }
  expect(saying('Too many pictures')).toHaveLength(92)
  expect(saying('still being made')).toHaveLength(8)
  expect(await waiting()).toBe(0)

  // An expected refusal must not be logged as a server failure.
  const lines = logged
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(100)
  for (const line of lines) {
    expect(line).toMatchObject({ level: 'warn', type: 'general_service_unavailable' })
    expect(line).not.toHaveProperty('err')
  }

  goOn()
  await bea.upload(await createJpeg())
  expect((await ana.request('GET', first)).status).toBe(200)
})

test('D07 while decoding is busy, a client gets an existing width instead of the requested width', async () => {
  stopDecoders()
  const asked = Array.from({ length: 8 }, () => ana.request('GET', parameters()))
  await waitFor(async () => expect(await waiting()).toBe(7))
  const answer = await ana.request('GET', `${appwriteFilesPath}/${photo}/preview?width=100`)
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-store'])
  goOn()
  await Promise.all(asked)
})

test('D07 the server does not render a preview whose client has disconnected', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  stopDecoders()
  const sockets = await Promise.all(
    Array.from({ length: 7 }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write(`GET ${parameters()} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${ana.cookie}\r\n\r\n`)
      return socket
    }),
  )
  await waitFor(async () => expect(await waiting()).toBe(6))
  const stays: { answer?: ApiResponse } = {}
  const asked = ana.request('GET', parameters()).then((answer) => {
    stays.answer = answer
  })
  await waitFor(async () => expect(await waiting()).toBe(7))
  for (const socket of sockets) socket.destroy()
  await waitFor(async () => expect(await waiting()).toBe(1))
  expect(stays.answer).toBeUndefined()
  goOn()
  await asked
})
