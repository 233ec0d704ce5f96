/** Full run: `MESSAGES=10000 KILLS=20 FAULT_EVERY=2000 npm test -- durability/chat`. */
import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import {
  initializeDatabaseWithoutFsync,
  type RunningServer,
  startServer,
} from '#scripts/harness/server-process.ts'
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts'
import type { HeadlessWebClientMessage, HeadlessWebClientOptions } from './headless-web-client-worker.ts'

const messages = Number(process.env.MESSAGES ?? 100)
const kills = Number(process.env.KILLS ?? 1)
const faultEvery = Number(process.env.FAULT_EVERY ?? 300)
/** Generous, because test machines can be busy. */
const testTimeoutMs = 600_000 + messages * 150 + kills * 30_000

let dataDir: string
let server: RunningServer
let line: FlakyProxy
let browsers: Worker[]
beforeEach(async () => {
  dataDir = createNonDurableFolder('juntas-chat-')
  browsers = []
  line = await startFlakyProxy({
    random: randomFrom(7),
    faultEvery,
    // Detecting connections that never break takes half a minute, so only long runs have some.
    halfOpenFor: () => (messages >= 5000 && line.faults.halfOpen % 5 === 0 ? null : 500),
  })
  await initializeDatabaseWithoutFsync(dataDir)
  await start()
})
afterEach(async () => {
  await Promise.all(browsers.map((browser) => browser.terminate()))
  await line.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  server = await startServer({ by: 'npm start', dataDir, env: { LIMITS: 'off', LOG_LEVEL: 'silent' } })
  line.leadTo(Number(new URL(server.url).port))
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

type Member = Pick<HeadlessWebClientOptions, 'cookie' | 'me' | 'name'>

async function join(name: string): Promise<Member> {
  const form = {
    name,
    username: name.toLowerCase(),
    email: `${name}@juntas.test`,
    password: 'una clave larga',
  }
  const me = await (await post('/v1/members', form)).json()
  const session = await post('/v1/account/sessions/email', form)
  return { name, me, cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

function post(path: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

type Stored = { id: string; content: string }

async function stored(): Promise<Stored[]> {
  const client = new Client({ connectionString: server.databaseUrl() })
  await client.connect()
  try {
    return (await client.query<Stored>('select m.public_id as id, m.content from messages m order by m.id'))
      .rows
  } finally {
    await client.end()
  }
}

function browserOf(member: Member, conversation: string) {
  const given: HeadlessWebClientOptions = {
    ...member,
    conversation,
    origin: `http://localhost:${line.port}`,
    messages: messages / 2,
    reloadEvery: 37,
    offlineEvery: 23,
  }
  const browser = new Worker(new URL('./headless-web-client-worker.ts', import.meta.url), {
    workerData: given,
  })
  browsers.push(browser)
  const faults: string[] = []
  const waitForMessage = <T extends HeadlessWebClientMessage['type']>(type: T) =>
    new Promise<Extract<HeadlessWebClientMessage, { type: T }>>((resolve, reject) => {
      browser.once('error', reject)
      const listen = (one: HeadlessWebClientMessage) => {
        if (one.type !== type) return
        browser.off('message', listen)
        browser.off('error', reject)
        resolve(one as Extract<HeadlessWebClientMessage, { type: T }>)
      }
      browser.on('message', listen)
    })
  browser.on('message', (one: HeadlessWebClientMessage) => one.type === 'fault' && faults.push(one.what))
  return {
    faults,
    wroteAll: waitForMessage('wrote all'),
    ask(what: 'thread' | 'the whole thread') {
      const answer = waitForMessage('thread')
      browser.postMessage(what)
      return answer
    },
  }
}

test(
  'CMSG-10 RT-12 despite a bad connection and server kills, each message is stored once and both members see the same',
  async () => {
    const [ana, bea] = [await join('Ana'), await join('Bea')]
    const opened = await post('/v1/conversations', { personId: bea.me.$id }, ana.cookie)
    const conversation: string = (await opened.json()).$id
    const both = [browserOf(ana, conversation), browserOf(bea, conversation)]
    const writing = Promise.all(both.map(({ wroteAll }) => wroteAll))

    for (let kill = 1; kill <= kills; kill++) {
      await expect
        .poll(async () => (await stored()).length, { timeout: testTimeoutMs })
        .toBeGreaterThanOrEqual((kill * messages) / (kills + 1))
      await server.kill9()
      await start()
    }
    await writing
    line.calm()

    const all = await stored()
    const ids = all.map(({ id }) => id)
    for (const { name } of [ana, bea]) {
      const hers = all.flatMap(({ content }) => (content.startsWith(name) ? [content] : []))
      expect(hers).toEqual(Array.from({ length: messages / 2 }, (_, index) => `${name} ${index + 1}`))
    }
    for (const browser of both) {
      // The response to a sent message may precede earlier messages through the socket.
      const missing = async () => {
        const { ids: shown } = await browser.ask('thread')
        return ids.slice(ids.indexOf(shown[0] ?? '')).filter((id) => !shown.includes(id))
      }
      await expect.poll(missing).toEqual([])
      const shown = await browser.ask('thread')
      expect(shown.ids).toEqual(ids.slice(-shown.ids.length))
      expect((await browser.ask('the whole thread')).ids).toEqual(ids)
      expect(browser.faults).toEqual([])
    }
    const { cut, halfOpen } = line.faults
    console.log(
      `${messages} messages, ${kills} kills, ${cut} cut, ${halfOpen} half open: none lost, none twice`,
    )
  },
  testTimeoutMs,
)
