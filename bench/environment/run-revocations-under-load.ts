/** Counts leaked events, and attempts that began after the acknowledgement and succeeded. */

import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { WebSocket } from 'ws'
import {
  buildAppwriteRealtimeUrl,
  buildDocumentsChannelName,
  buildLiveSocketUrl,
} from '#api-client/realtime-urls.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import { createBenchChatMembers } from './create-chat-members.ts'
import {
  insertModerator,
  prepareRevocationPair,
  type RevocationAttempt,
  type RevocationEnvironment,
  type RevocationKind,
  type RevocationScenario,
  revocationKinds,
  setUpRevocationScenario,
} from './revocation-scenarios.ts'

/** How often the attempts are repeated after the acknowledgement. */
const volleys = 4
/** Milliseconds after the acknowledgement that count as immediate. */
const atOnceMs = 100
const writersPerLoser = 3
/** The longest wait for the expected events. A keeper is a member who keeps all rights. */
const keeperTimeoutMs = 120_000
const busyMs = 250
/** The wait for frames that have arrived but are not read yet. */
const lastFramesMs = 30
/** Closed and suspended accounts cannot be used again. */
const takesFreshPairs = (way: RevocationKind) => way === 'closed' || way === 'suspended'
const lanes: RevocationKind[] = [...revocationKinds, 'session', 'group', 'block']
const listened = ['messages', 'posts', 'comments']

type RevocationTally = {
  ends: Record<RevocationKind, number>
  /** Attempts that began before the acknowledgement. */
  before: { tried: number; done: number }
  /** Attempts that began afterwards. `came` lists those that succeeded or stored a row. */
  after: { writes: number; writesAtOnce: number; reads: number; readsAtOnce: number; came: string[] }
  /** Later rows, their frames on the keepers' sockets, and frames leaked to members without the right. */
  live: { rows: number; keptFrames: number; leaked: string[] }
  /** Frames about earlier rows for members without the right, and when the last came. */
  earlier: { frames: number; lastAfterMs: number }
}

/** @param writes the total of attempted writes after revocations */
export async function runRevocationsUnderLoad(
  nodes: readonly string[],
  databaseUrl: string,
  writes: number,
): Promise<RevocationTally> {
  // About fifty writes follow each revocation, and two lanes use a new pair each time.
  const pairs = lanes.length + Math.ceil(writes / 50) + 1
  const members = await createBenchChatMembers(databaseUrl, pairs * 2)
  const nextPair = () => {
    const [loser, other] = members.splice(0, 2)
    return loser && other ? { loser, other } : null
  }
  const moderator = nextPair()?.loser
  if (!moderator) throw new Error('there are no members')
  const database = new Pool({ connectionString: databaseUrl, max: 4 })
  await insertModerator(database, moderator)
  const stage: RevocationEnvironment = { nodes, database, moderator }
  const tally: RevocationTally = {
    ends: { session: 0, group: 0, block: 0, closed: 0, suspended: 0 },
    before: { tried: 0, done: 0 },
    after: { writes: 0, writesAtOnce: 0, reads: 0, readsAtOnce: 0, came: [] },
    live: { rows: 0, keptFrames: 0, leaked: [] },
    earlier: { frames: 0, lastAfterMs: 0 },
  }
  const refused: string[] = []
  let failed = false
  const work = async (way: RevocationKind) => {
    for (let round = 0; tally.after.writes < writes && !failed; ) {
      const members = nextPair()
      if (!members) return
      const pair = await prepareRevocationPair(stage, way, members.loser, members.other)
      let keeping = await listen(nodes, members.other.cookie)
      do {
        if (keeping.open() < keeping.sockets) {
          keeping.close()
          keeping = await listen(nodes, members.other.cookie)
        }
        const scene = await setUpRevocationScenario(stage, way, pair, round)
        await playScene(nodes, scene, keeping, tally, refused)
        round += 1
      } while (tally.after.writes < writes && !failed && !takesFreshPairs(way))
      keeping.close()
    }
  }
  await Promise.all(
    lanes.map((way) =>
      work(way).catch((error: unknown) => {
        failed = true
        throw error
      }),
    ),
  )
  await addStored(database, refused, tally)
  await database.end()
  return tally
}

let ids = 0
const nextId = () => {
  ids += 1
  return `row${process.pid}x${ids}x`
}
const rowIds = /row\d+x\d+x/g

async function playScene(
  nodes: readonly string[],
  scene: RevocationScenario,
  keeping: ListeningMember,
  tally: RevocationTally,
  refused: string[],
): Promise<void> {
  let askedAt = Number.POSITIVE_INFINITY
  let endedAt = Number.POSITIVE_INFINITY
  let going = true
  const rowsAfter = new Set<string>()
  const rowsBefore = new Set<string>()
  const losing = await listen(nodes, scene.loser, (id, at) => {
    if (rowsAfter.has(id)) tally.live.leaked.push(`${scene.way} ${id}`)
    if (!rowsBefore.has(id)) return
    tally.earlier.frames += 1
    if (at > endedAt) tally.earlier.lastAfterMs = Math.max(tally.earlier.lastAfterMs, at - endedAt)
  })
  const tryOne = async ({ kind, api, send }: RevocationAttempt) => {
    const id = nextId()
    const begunAt = performance.now()
    const { status, body } = await send(id)
    const problem = `${scene.way}: a ${kind} through the ${api} API was answered ${status}: ${JSON.stringify(body)}`
    if (performance.now() < askedAt && status >= 300) throw new Error(problem)
    // Both outcomes are correct for an attempt that began earlier.
    if (begunAt <= endedAt) {
      tally.before.tried += 1
      tally.before.done += Number(status < 300)
      return
    }
    const of = kind === 'read' ? 'reads' : 'writes'
    tally.after[of] += 1
    if (begunAt - endedAt <= atOnceMs) tally.after[`${of}AtOnce`] += 1
    if (status < 300) tally.after.came.push(`${scene.way} ${api} ${kind} ${id}`)
    else if ([401, 403, 404].includes(status)) refused.push(id)
    else throw new Error(problem)
  }
  const doOne = async ({ kind, api, send }: RevocationAttempt) => {
    const id = nextId()
    const isAfter = performance.now() > endedAt
    ;(isAfter ? rowsAfter : rowsBefore).add(id)
    const { status, body } = await send(id)
    if (status !== 201)
      throw new Error(
        `${scene.way}: another’s ${kind} (${api}) was answered ${status}: ${JSON.stringify(body)}`,
      )
  }
  const repeat = async (
    attempts: RevocationAttempt[],
    first: number,
    one: (attempt: RevocationAttempt) => Promise<void>,
  ) => {
    for (let turn = first; going; turn += 1) await one(attempts[turn % attempts.length] as RevocationAttempt)
  }
  const shuffled = scene.attempts.toSorted(() => Math.random() - 0.5)
  const writers = [
    ...Array.from({ length: writersPerLoser }, (_, n) =>
      repeat(shuffled, Math.floor((n * shuffled.length) / writersPerLoser), tryOne),
    ),
    repeat(scene.others, Math.floor(Math.random() * scene.others.length), doOne),
  ]
  const all = Promise.all(writers)
  all.catch(() => {})
  try {
    // A first success proves that later refusals result from the revocation.
    await Promise.all(scene.attempts.map(tryOne))
    askedAt = performance.now()
    await scene.revoke()
    endedAt = performance.now()
    for (let volley = 0; volley < volleys; volley += 1) await Promise.all(scene.attempts.map(tryOne))
  } finally {
    going = false
    await all
  }
  // A node decides about all listeners of a row together, so nobody receives it after the keepers.
  const waitedFrom = performance.now()
  const unheard = () => [...rowsAfter].filter((id) => (keeping.frames.get(id) ?? 0) < keeping.open())
  while (unheard().length > 0) {
    if (performance.now() - waitedFrom > keeperTimeoutMs)
      throw new Error(`${scene.way}: the keeper’s sockets did not receive ${unheard().join(', ')}`)
    await pause(5)
  }
  await pause(lastFramesMs)
  // A busy node closes sockets. It is then unknown whether all frames arrived, so none count.
  if (keeping.open() === keeping.sockets) {
    for (const row of rowsAfter) tally.live.keptFrames += keeping.frames.get(row) ?? 0
    tally.live.rows += rowsAfter.size
  }
  tally.ends[scene.way] += 1
  losing.close()
  keeping.frames.clear()
}

type ListeningMember = {
  sockets: number
  open(): number
  /** Counts by row. */
  frames: Map<string, number>
  close(): void
}

async function listen(
  nodes: readonly string[],
  cookie: string,
  receive: (row: string, at: number) => void = () => {},
): Promise<ListeningMember> {
  const frames = new Map<string, number>()
  const channels = new URLSearchParams({ project: 'juntas' })
  for (const collection of listened) channels.append('channels[]', buildDocumentsChannelName(collection))
  const urls = nodes.flatMap((node) => [
    `${buildLiveSocketUrl(node)}?collections=${listened}`,
    `${buildAppwriteRealtimeUrl(node)}?${channels}`,
  ])
  const sockets = await Promise.all(
    urls.map(async (url) => {
      const socket = await openSocket(url, cookie)
      socket.on('message', (bytes: Buffer) => {
        for (const id of new Set(String(bytes).match(rowIds))) {
          frames.set(id, (frames.get(id) ?? 0) + 1)
          receive(id, performance.now())
        }
      })
      return socket
    }),
  )
  return {
    sockets: sockets.length,
    open: () => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length,
    frames,
    close() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** Waits for the first frame. Retries while the node is busy. */
async function openSocket(url: string, cookie: string): Promise<WebSocket> {
  for (;;) {
    const socket = new WebSocket(url, { headers: { cookie } })
    const code = await new Promise<number>((resolve, reject) => {
      socket.once('message', () => resolve(0))
      socket.once('error', reject)
      socket.once('close', resolve)
    })
    if (code === 0) return socket
    if (code !== socketCloseCodes.tryLater) throw new Error(`a socket was closed with ${code}`)
    await pause(busyMs)
  }
}

/** Rows that the server refused but stored. */
async function addStored(database: Pool, refused: string[], tally: RevocationTally): Promise<void> {
  const { rows } = await database.query(
    ['messages', 'comments', 'posts']
      .map((table) => `select public_id as id from ${table} where public_id = any($1)`)
      .join(' union all '),
    [refused],
  )
  tally.after.came.push(...rows.map(({ id }) => `stored ${id}`))
}
