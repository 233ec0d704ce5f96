/** Goals P7 and P19, over thousands of sockets, compared with a bare relay. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { collectionNames } from '#contract/collection-names.ts'
import { findFreePort, type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import { type BenchChatMember, createBenchChatMembers } from '../environment/create-chat-members.ts'
import { forceGarbageCollection } from '../environment/force-gc.ts'
import { processCpuMs, processMemoryBytes } from '../environment/resource-usage.ts'
import { startBenchProgram } from '../environment/start-processes.ts'
import { type BenchmarkDefinition, type BenchmarkResult, quantile } from '../report/results.ts'

const sockets = Number(process.env.BENCH_SOCKETS ?? 5000)
const rate = Number(process.env.BENCH_RATE ?? 100)
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const idleMessages = 300

const channels = ['messages', 'conversations'].map((name) => `databases.main.collections.${name}.documents`)
const everything = [
  'documents',
  '*',
  'files',
  ...collectionNames.map((name) => `databases.main.collections.${name}.documents`),
]

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

export const messageLatencyBenchmark: BenchmarkDefinition = {
  goals: ['P7'],
  run: () => withServer({}, idleLatency),
}

export const crowdDeliveryBenchmark: BenchmarkDefinition = {
  goals: ['P19'],
  run: async () => [...(await idleMemory(await findFreePort())), ...(await withServer({}, crowd))],
}

async function withServer(
  env: Record<string, string>,
  measure: (server: RunningServer, talkers: BenchChatMember[]) => Promise<BenchmarkResult[]>,
): Promise<BenchmarkResult[]> {
  await using server = await startServer({ by: 'built', env: { LIMITS: 'off', ...env } })
  const talkers = await createBenchChatMembers(server.databaseUrl(), sockets + 2)
  return await measure(server, talkers)
}

async function idleLatency(server: RunningServer, talkers: BenchChatMember[]): Promise<BenchmarkResult[]> {
  await using relay = await startBenchProgram('bench/baselines/ws-relay-with-commit.ts', {
    DATABASE_URL: server.databaseUrl(),
  })
  const relayUrl = relay.url
  const [from, to] = [new WebSocket(relayUrl), new WebSocket(relayUrl)]
  await Promise.all([once(from, 'open'), once(to, 'open')])
  const [sender, receiver] = talkers as [BenchChatMember, BenchChatMember]
  const listening = await listen(server, receiver, channels)

  const timed = async (into: number[], work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    into.push(performance.now() - began)
  }
  const ours = async ({ ours, answered }: Times) => {
    const arrived = listening.next()
    const answer = timed(answered, () => send(server, sender, 'idle'))
    await timed(ours, () => arrived)
    await answer
  }
  const theirs = ({ relayed }: Times) =>
    timed(relayed, async () => {
      const arrived = once(to, 'message')
      from.send('idle')
      await arrived
    })
  const idle = noTimes()
  for (let n = 0; n < idleMessages; n += 1) {
    await ours(idle)
    await theirs(idle)
    await timed(idle.unasking, () => call(`${server.url}/health/live`, 200))
    await pause(5)
  }
  const busy = noTimes()
  for (let n = 0; n < idleMessages; n += 1) await ours(busy)
  for (let n = 0; n < idleMessages; n += 1) await theirs(busy)
  for (const socket of [from, to, listening.socket]) socket.terminate()
  const describe = (
    what: string,
    { ours, answered, relayed }: Times,
    goal: number | null,
  ): BenchmarkResult => {
    const ratio = quantile(ours, 0.5) / quantile(relayed, 0.5)
    return {
      goal: 'P7',
      what,
      figure: `${ratio.toFixed(2)} (${at(ours, 0.5)} ms beside ${at(relayed, 0.5)} ms; the sender’s answer ${at(answered, 0.5)} ms)`,
      spread: `p99 ${at(ours, 0.99)} ms beside ${at(relayed, 0.99)} ms`,
      target: goal === null ? 'reported' : `≤ ${goal}`,
      met: goal === null ? null : ratio <= goal,
    }
  }
  return [
    describe('message → other’s socket, idle server, p50 ÷ a bare relay with one commit', warm(idle), 2),
    describe('the same without a pause between the messages', warm(busy), null),
    {
      goal: 'P7',
      what: 'an answer of the idle server that asks nothing of the database, p50',
      figure: `${at(warm(idle).unasking, 0.5)} ms`,
      target: 'reported',
      met: null,
    },
  ]
}

/** Milliseconds: the recipient's event, the response, the relay's event, a response without queries. */
type Times = { ours: number[]; answered: number[]; relayed: number[]; unasking: number[] }

const noTimes = (): Times => ({ ours: [], answered: [], relayed: [], unasking: [] })

/** The first third of the samples warms up the server. */
function warm({ ours, answered, relayed, unasking }: Times): Times {
  const later = (values: number[]) => values.slice(idleMessages / 3)
  return { ours: later(ours), answered: later(answered), relayed: later(relayed), unasking: later(unasking) }
}

/** Goal P19: memory per socket, with and without memory that V8 has not collected yet. */
const idleMemory = (inspector: number) =>
  withServer({ NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }, async (server, talkers) => {
    const few = Math.ceil(sockets / 5)
    const kept = async () => {
      const before = processMemoryBytes(server.pid)
      await forceGarbageCollection(inspector)
      await pause(2000)
      return { before, after: processMemoryBytes(server.pid) }
    }
    const open = await listenAll(server, talkers.slice(0, few))
    const withFew = await kept()
    open.push(...(await listenAll(server, talkers.slice(few, sockets))))
    const withAll = await kept()
    const each = (bytes: number) => (bytes - withFew.after) / (sockets - few) / 1024
    for (const socket of open) socket.terminate()
    return [
      {
        goal: 'P19',
        what: `memory of an idle socket beyond the first ${few}`,
        figure: `${each(withAll.after).toFixed(1)} KB`,
        spread: `${each(withAll.before).toFixed(1)} KB until V8 collects`,
        target: '≤ 12 KB',
        met: each(withAll.after) <= 12,
      },
    ]
  })

/** Goal P19 again. A member without messages must receive nothing. */
async function crowd(server: RunningServer, talkers: BenchChatMember[]): Promise<BenchmarkResult[]> {
  const arrived: number[] = []
  const began = performance.now()
  const open = await listenAll(server, talkers.slice(0, sockets), (talker, payload) => {
    if (payload.senderId === talker.id || payload.content === undefined) return
    arrived.push(performance.now() - Number(payload.content.split(' ')[1]))
  })
  const openingSeconds = ((performance.now() - began) / 1000).toFixed(1)
  await pause(3000)

  let overheard = 0
  const stranger = await listen(server, talkers.at(-1) as BenchChatMember, everything, () => {
    overheard += 1
  })
  const used = processCpuMs(server.pid)
  const count = rate * seconds
  const failures: unknown[] = []
  const sending: Promise<unknown>[] = []
  const start = performance.now()
  for (let n = 0; n < count; n += 1) {
    const wait = start + (n * 1000) / rate - performance.now()
    if (wait > 1) await pause(wait)
    const talker = talkers[Math.floor(Math.random() * sockets)] as BenchChatMember
    sending.push(send(server, talker, `${n} ${performance.now()}`).catch((error) => failures.push(error)))
  }
  await Promise.all(sending)
  await pause(3000)
  const cpu = (processCpuMs(server.pid) - used) / ((seconds + 3) * 10)
  for (const socket of [...open, stranger.socket]) socket.terminate()
  const finding = (
    what: string,
    figure: string,
    target: string,
    met: boolean,
    spread?: string,
  ): BenchmarkResult => ({
    goal: 'P19',
    what,
    figure,
    spread,
    target,
    met,
  })
  const describe = `${count} / ${failures.length} / ${arrived.length}`
  return [
    finding(
      `${rate} messages/s through ${sockets} sockets: sent / refused / arrived`,
      describe,
      'all',
      arrived.length === count,
    ),
    finding(
      'sending → the other’s socket among them, p99',
      `${at(arrived, 0.99)} ms (p50 ${at(arrived, 0.5)} ms, ${cpu.toFixed(0)} % of a core)`,
      '≤ 1,000 ms',
      quantile(arrived, 0.99) <= 1000,
      `all opened in ${openingSeconds} s`,
    ),
    finding('what a stranger subscribed to everything overheard', String(overheard), '0', overheard === 0),
  ]
}

type Payload = { content?: string; senderId?: string }

async function listenAll(
  server: RunningServer,
  talkers: BenchChatMember[],
  received: (talker: BenchChatMember, payload: Payload) => void = () => {},
): Promise<WebSocket[]> {
  const open: WebSocket[] = []
  for (let from = 0; from < talkers.length; from += 50) {
    const some = talkers.slice(from, from + 50)
    const opened = await Promise.all(
      some.map((talker) => listen(server, talker, channels, (payload) => received(talker, payload))),
    )
    open.push(...opened.map(({ socket }) => socket))
  }
  return open
}

async function listen(
  server: RunningServer,
  talker: BenchChatMember,
  wanted: string[],
  received: (payload: Payload) => void = () => {},
) {
  const query = new URLSearchParams([['project', 'juntas'], ...wanted.map((name) => ['channels[]', name])])
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/realtime?${query}`, {
    headers: { cookie: talker.cookie },
    perMessageDeflate: false,
  })
  let next: (() => void) | null = null
  const greeted = new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve())
    socket.once('error', reject)
  })
  await greeted
  socket.on('message', (bytes) => {
    const { type, data } = JSON.parse(String(bytes))
    if (type !== 'event') return
    received(data.payload)
    if (data.payload.content === undefined) return
    next?.()
    next = null
  })
  return {
    socket,
    next: () =>
      new Promise<void>((resolve) => {
        next = resolve
      }),
  }
}

const send = (server: RunningServer, talker: BenchChatMember, content: string): Promise<void> =>
  call(`${server.url}/v1/conversations/${talker.conversation}/messages`, 201, {
    cookie: talker.cookie,
    body: JSON.stringify({ content }),
  })

/** @throws if the response has another status */
function call(url: string, status: number, sent?: { cookie: string; body: string }): Promise<void> {
  const headers = sent && {
    cookie: sent.cookie,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent.body),
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method: sent ? 'POST' : 'GET', headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === status ? resolve() : reject(new Error(`answered ${answer.statusCode}`)),
      )
    })
    asked.on('error', reject)
    asked.end(sent?.body)
  })
}

function at(values: number[], part: number): string {
  return quantile(values, part).toFixed(1)
}
