/**
 * What each thing that members do costs this machine: CPU of the server with its image processes, CPU of PostgreSQL, and
 * bytes sent. `npm run scale -- measure` writes them to bench/costs.json, from which docs/scale.md is computed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { type Asking, asking } from '#tests/person.ts'
import { phonePicture } from '#tests/pictures.ts'
import { remote } from '#tests/remote.ts'
import { documentsOf } from '#tests/sockets.ts'
import { filesPath, formOf } from '#tests/uploading.ts'
import { idOf, readers, type Size } from './community.ts'
import {
  cpuOf,
  cpuOfDatabase,
  load,
  mainProcessOf,
  memoryOf,
  type Running,
  startProduct,
} from './programs.ts'
import { waitingFiles } from './requests.ts'
import { openStage, query, signIn } from './stage.ts'
import { writerOf, writers, writes } from './writes.ts'

/** Milliseconds of CPU and bytes for one of it. */
export type Cost = { server: number; database: number; bytes: number }

export type Costs = {
  /** Of the community they were measured on. */
  size: Size
  each: Record<string, Cost>
  /** A home page by how many one follows. */
  homeByFollows: { follows: number; cost: Cost }[]
  /** A node's CPU for a change that concerns none of its sockets. */
  changePassedBy: Cost
  /** One row put into a feed that is kept ready for each follower, and reading such a feed. */
  feedRow: Cost
  /** Bytes: a socket's memory, a stored picture with its four variants. */
  socketBytes: number
  pictureBytes: number
}

/** Large enough for one who follows 5,000. */
const size: Size = { members: 6_000, posts: 60_000 }
const seconds = 3
const connections = 8
const uploads = 12
const idleSockets = 500

export async function measureCosts(): Promise<Costs> {
  const stage = await openStage()
  try {
    const url = await stage.copyOf(size)
    await waitingFiles(url)
    const product = await startProduct(url)
    const other = await startProduct(url)
    try {
      return await measureOn(url, product, other)
    } finally {
      await product.stop()
      await other.stop()
    }
  } finally {
    await stage.close()
  }
}

async function measureOn(url: string, product: Running, other: Running): Promise<Costs> {
  const main = await mainProcessOf(url)
  const cookie = await signIn(url, readers.usual)
  // In turn, as the pictures that wait for a post are theirs in turn.
  const cookies: string[] = []
  for (let turn = 0; turn < writers; turn += 1) cookies.push(await signIn(url, writerOf(turn)))
  const person = asking(remote(product.url), cookie)

  const open = await query<{ id: string }>(
    url,
    'select public_id as id from posts where group_id is null order by id',
  )
  const likes = {
    method: 'PUT' as const,
    request: (turn: number) => ({ path: `/v1/posts/${open[turn % open.length]?.id}/like` }),
  }

  /** @param work returns how often it was done, and the bytes it sent */
  const costOf = async (work: () => Promise<{ count: number; bytes: number }>): Promise<Cost> => {
    const before = { server: cpuOfDatabase(product.pid), database: cpuOfDatabase(main) }
    const { count, bytes } = await work()
    return {
      server: (cpuOfDatabase(product.pid) - before.server) / count,
      database: (cpuOfDatabase(main) - before.database) / count,
      bytes: bytes / count,
    }
  }
  const asked = async (
    method: 'GET' | 'POST' | 'PUT',
    next: () => { path: string; body?: string; cookie?: string },
    as = cookie,
  ) => {
    const withCookie = () => ({ cookie: as, ...next() })
    const result = await load({ url: product.url, connections, seconds, method, next: withCookie })
    return { count: result['2xx'], bytes: result.throughput.total }
  }
  const read =
    (path: string, as = cookie) =>
    () =>
      asked('GET', () => ({ path }), as)
  const write = (kind: 'post' | 'like' | 'message') => {
    const { method, request } = kind === 'like' ? likes : writes[kind]
    let turn = 0
    const next = () => {
      turn += 1
      return { ...request(turn), cookie: cookies[turn % writers] ?? cookie }
    }
    return () => asked(method, next)
  }
  /** Once to warm up, then in earnest; a run that was disturbed does not count. */
  const measured = async (work: () => Promise<{ count: number; bytes: number }>) => {
    for (let tries = 1; ; tries += 1) {
      try {
        await work()
        return await costOf(work)
      } catch (error) {
        if (tries === 3) throw error
        console.error(error)
      }
    }
  }

  // As much as a browser sends in one piece.
  const picture = await sharp(await phonePicture())
    .resize(2400)
    .jpeg({ quality: 82 })
    .toBuffer()
  const put = await uploadMany(person, picture, 2)
  const upload = await costOf(async () => {
    const { length } = await uploadMany(person, picture, uploads)
    return { count: length, bytes: 0 }
  })
  const view = `${filesPath}/${put[0]}/preview?width=640`

  const each: Record<string, Cost> = {
    explore: await measured(read('/v1/explore')),
    profile: await measured(read(`/v1/people/${idOf.member(2)}`)),
    thread: await measured(read(`/v1/conversations/${idOf.talk(1)}/messages`)),
    picture: await measured(read(view)),
    like: await measured(write('like')),
    post: await measured(write('post')),
    upload,
  }
  const ear = new WebSocket(
    `${other.url.replace('http', 'ws')}/v1/realtime?project=juntas&channels[]=${documentsOf('messages')}`,
    {
      headers: { cookie: await signIn(url, readers.dormant) },
    },
  )
  await new Promise((resolve) => ear.once('message', resolve))
  const passing = { server: cpuOf(other.pid) }
  let messages = 0
  each.message = await costOf(async () => {
    const result = await write('message')()
    messages = result.count
    return result
  })
  await pause(2000)
  // A message is two changes: itself and its conversation.
  const changePassedBy = {
    server: (cpuOf(other.pid) - passing.server) / (2 * messages),
    database: 0,
    bytes: 0,
  }
  ear.terminate()

  const homeByFollows: Costs['homeByFollows'] = []
  for (const [follows, member] of [
    [10, readers.few],
    [200, readers.usual],
    [5000, readers.many],
  ] as const) {
    const as = await signIn(url, member)
    homeByFollows.push({ follows, cost: await measured(read('/v1/feed', as)) })
  }

  const usual = homeByFollows.find(({ follows }) => follows === 200)?.cost
  if (usual) each.home = usual

  const [stored] = await query<{ bytes: string }>(
    url,
    `select size as bytes from files where public_id = $1`,
    [put[0]],
  )
  return {
    size,
    each,
    homeByFollows,
    changePassedBy,
    feedRow: await feedRowCost(url, main),
    socketBytes: await socketBytes(other, cookie),
    // The variants are about a tenth of it.
    pictureBytes: Math.round(Number(stored?.bytes) * 1.1),
  }
}

async function uploadMany(person: Asking, bytes: Buffer, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { body, headers } = await formOf({ bytes, name: 'photo.jpg' })
    const answer = await person.request<{ $id: string }>('POST', filesPath, body, headers)
    if (answer.status !== 201)
      throw new Error(`the upload answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    ids.push(answer.body.$id)
  }
  return ids
}

/** What the road not taken would cost: a row for each follower of whoever posts. */
async function feedRowCost(url: string, main: number): Promise<Cost> {
  await query(
    url,
    `create table ready_feeds (member_id bigint not null, at timestamptz not null, post_id bigint not null,
       primary key (member_id, at, post_id))`,
  )
  const [posts, followers] = [100, 1000]
  const before = cpuOfDatabase(main)
  await query(
    url,
    `insert into ready_feeds select 1 + (n * 7919 + post * 104729) % 1000000, clock_timestamp(), post
     from generate_series(1, $1::int) post, generate_series(1, $2::int) n`,
    [posts, followers],
  )
  return { server: 0, database: (cpuOfDatabase(main) - before) / (posts * followers), bytes: 0 }
}

async function socketBytes({ url, pid }: Running, cookie: string): Promise<number> {
  const open = async (count: number) => {
    const opened: WebSocket[] = []
    for (let number = 0; number < count; number += 1) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?project=juntas`, {
        headers: { cookie },
      })
      await new Promise((resolve) => socket.once('message', resolve))
      opened.push(socket)
    }
    return opened
  }
  const sockets = await open(idleSockets)
  await pause(3000)
  const before = memoryOf(pid)
  sockets.push(...(await open(idleSockets)))
  await pause(3000)
  const each = (memoryOf(pid) - before) / idleSockets
  for (const socket of sockets) socket.terminate()
  return Math.round(each)
}
