/** Measures CPU time on the server with its image workers and in PostgreSQL, and bytes sent. */
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { type ApiClient, createApiClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, encodeMultipartUpload } from '#api-client/raw-multipart-upload.ts'
import { buildAppwriteRealtimeUrl, buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { createPhoneJpegWithGps } from '#scripts/harness/image-fixtures.ts'
import {
  createBenchSessionCookie,
  openBenchDatabasePool,
  queryBenchDatabase,
} from '../environment/bench-databases.ts'
import { type DatasetSize, publicIdBuilders, sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad } from '../environment/load-generator.ts'
import {
  postgresMainPid,
  processCpuMs,
  processMemoryBytes,
  processTreeCpuMs,
} from '../environment/resource-usage.ts'
import { type RunningBenchProcess, startProductServer } from '../environment/start-processes.ts'
import { pickBenchWriter, writeBenchmarkScenarios, writerCount } from '../environment/write-scenarios.ts'
import { insertUnusedPictures } from '../measures/throughput-vs-baseline.ts'

export type RequestCost = { server: number; database: number; bytes: number }

export type RequestCostReport = {
  size: DatasetSize
  each: Record<string, RequestCost>
  homeByFollows: { follows: number; cost: RequestCost }[]
  /** The CPU time that a node spends on a change for none of its sockets. */
  changePassedBy: RequestCost
  /** The cost of fan-out on write: writing a feed row, and reading such a feed. */
  feedRow: RequestCost
  /** `pictureBytes` includes the four variants. */
  socketBytes: number
  pictureBytes: number
}

/** Large enough that a member can follow 5,000 others. */
const size: DatasetSize = { members: 6_000, posts: 60_000 }
const seconds = 3
const connections = 8
const uploads = 12
const idleSockets = 500

export async function measureRequestCosts(): Promise<RequestCostReport> {
  await using stage = await openBenchDatabasePool()
  const url = await stage.copyOf(size)
  await insertUnusedPictures(url)
  await using product = await startProductServer(url)
  await using other = await startProductServer(url)
  return await measureOn(url, product, other)
}

async function measureOn(
  url: string,
  product: RunningBenchProcess,
  other: RunningBenchProcess,
): Promise<RequestCostReport> {
  const main = await postgresMainPid(url)
  const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
  // The unused uploads belong to the writers in turn.
  const cookies: string[] = []
  for (let turn = 0; turn < writerCount; turn += 1)
    cookies.push(await createBenchSessionCookie(url, pickBenchWriter(turn)))
  const person = createApiClient(createHttpTransport(product.url), cookie)

  const open = await queryBenchDatabase<{ id: string }>(
    url,
    'select public_id as id from posts where group_id is null order by id',
  )
  const likes = {
    method: 'PUT' as const,
    request: (turn: number) => ({ path: `/v1/posts/${open[turn % open.length]?.id}/like` }),
  }

  /** @param work returns the number of requests and the bytes sent */
  const costOf = async (work: () => Promise<{ count: number; bytes: number }>): Promise<RequestCost> => {
    const before = { server: processTreeCpuMs(product.pid), database: processTreeCpuMs(main) }
    const { count, bytes } = await work()
    return {
      server: (processTreeCpuMs(product.pid) - before.server) / count,
      database: (processTreeCpuMs(main) - before.database) / count,
      bytes: bytes / count,
    }
  }
  const asked = async (
    method: 'GET' | 'POST' | 'PUT',
    next: () => { path: string; body?: string; cookie?: string },
    as = cookie,
  ) => {
    const withCookie = () => ({ cookie: as, ...next() })
    const result = await generateLoad({ url: product.url, connections, seconds, method, next: withCookie })
    return { count: result['2xx'], bytes: result.throughput.total }
  }
  const read =
    (path: string, as = cookie) =>
    () =>
      asked('GET', () => ({ path }), as)
  const write = (kind: 'post' | 'like' | 'message') => {
    const { method, request } = kind === 'like' ? likes : writeBenchmarkScenarios[kind]
    let turn = 0
    const next = () => {
      turn += 1
      return { ...request(turn), cookie: cookies[turn % writerCount] ?? cookie }
    }
    return () => asked(method, next)
  }
  /** Warms up first. Repeats a failed measurement up to twice. */
  const measured = async (work: () => Promise<{ count: number; bytes: number }>) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        await work()
        return await costOf(work)
      } catch (error) {
        if (attempts === 3) throw error
        console.error(error)
      }
    }
  }

  const picture = await sharp(await createPhoneJpegWithGps())
    .resize(2400)
    .jpeg({ quality: 82 })
    .toBuffer()
  const put = await uploadMany(person, picture, 2)
  const upload = await costOf(async () => {
    const { length } = await uploadMany(person, picture, uploads)
    return { count: length, bytes: 0 }
  })
  const view = `${appwriteFilesPath}/${put[0]}/preview?width=640`

  const each: Record<string, RequestCost> = {
    explore: await measured(read('/v1/explore')),
    profile: await measured(read(`/v1/people/${publicIdBuilders.member(2)}`)),
    thread: await measured(read(`/v1/conversations/${publicIdBuilders.conversation(1)}/messages`)),
    picture: await measured(read(view)),
    like: await measured(write('like')),
    post: await measured(write('post')),
    upload,
  }
  const ear = new WebSocket(
    `${buildAppwriteRealtimeUrl(other.url)}?project=juntas&channels[]=${buildDocumentsChannelName('messages')}`,
    {
      headers: { cookie: await createBenchSessionCookie(url, sampleReaderKeys.dormant) },
    },
  )
  await new Promise((resolve) => ear.once('message', resolve))
  const passing = { server: processCpuMs(other.pid) }
  let messages = 0
  each.message = await costOf(async () => {
    const result = await write('message')()
    messages = result.count
    return result
  })
  await pause(2000)
  // A message makes two changes: itself and its conversation.
  const changePassedBy = {
    server: (processCpuMs(other.pid) - passing.server) / (2 * messages),
    database: 0,
    bytes: 0,
  }
  ear.terminate()

  const homeByFollows: RequestCostReport['homeByFollows'] = []
  for (const [follows, member] of [
    [10, sampleReaderKeys.few],
    [200, sampleReaderKeys.usual],
    [5000, sampleReaderKeys.many],
  ] as const) {
    const as = await createBenchSessionCookie(url, member)
    homeByFollows.push({ follows, cost: await measured(read('/v1/feed', as)) })
  }

  const usual = homeByFollows.find(({ follows }) => follows === 200)?.cost
  if (usual) each.home = usual

  const [stored] = await queryBenchDatabase<{ bytes: string }>(
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
    // The variants add about a tenth to the size.
    pictureBytes: Math.round(Number(stored?.bytes) * 1.1),
  }
}

async function uploadMany(person: ApiClient, bytes: Buffer, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { body, headers } = await encodeMultipartUpload({ bytes, name: 'photo.jpg' })
    const answer = await person.request<{ $id: string }>('POST', appwriteFilesPath, body, headers)
    if (answer.status !== 201)
      throw new Error(`the upload answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    ids.push(answer.body.$id)
  }
  return ids
}

async function feedRowCost(url: string, main: number): Promise<RequestCost> {
  await queryBenchDatabase(
    url,
    `create table ready_feeds (member_id bigint not null, at timestamptz not null, post_id bigint not null,
       primary key (member_id, at, post_id))`,
  )
  const [posts, followers] = [100, 1000]
  const before = processTreeCpuMs(main)
  await queryBenchDatabase(
    url,
    `insert into ready_feeds select 1 + (n * 7919 + post * 104729) % 1000000, clock_timestamp(), post
     from generate_series(1, $1::int) post, generate_series(1, $2::int) n`,
    [posts, followers],
  )
  return { server: 0, database: (processTreeCpuMs(main) - before) / (posts * followers), bytes: 0 }
}

async function socketBytes({ url, pid }: RunningBenchProcess, cookie: string): Promise<number> {
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
  const before = processMemoryBytes(pid)
  sockets.push(...(await open(idleSockets)))
  await pause(3000)
  const each = (processMemoryBytes(pid) - before) / idleSockets
  for (const socket of sockets) socket.terminate()
  return Math.round(each)
}
