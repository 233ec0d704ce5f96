/**
 * Goal P27: full speed, and 100,000 likes an hour. To measure without notifications, another session holds their
 * job's lock.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { startServer } from '#scripts/harness/server-process.ts'
import { queryBenchDatabase } from '../environment/bench-databases.ts'
import { createBenchSessions } from '../environment/create-bench-sessions.ts'
import { type DatasetSize, publicIdBuilders } from '../environment/generate-dataset.ts'
import {
  createLikeGenerator,
  type LikeStream,
  sendLikesAtPace,
  sendRequestWithCookie,
} from '../environment/like-load.ts'
import { loadDataset } from '../environment/load-dataset.ts'
import { generateLoad } from '../environment/load-generator.ts'
import { openNotificationBadgePages } from '../environment/notification-badge-pages.ts'
import { epochMilliseconds } from '../environment/poll-until-pictures-refused.ts'
import { postgresMainPid, processCpuMs, processTreeCpuMs } from '../environment/resource-usage.ts'
import { openSimulatedDevices, type SimulatedDevices } from '../environment/simulated-devices.ts'
import { pickBenchWriter, writeBenchmarkScenarios, writerCount } from '../environment/write-scenarios.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
  quantile,
} from '../report/results.ts'

const size: DatasetSize = { members: 5_000, posts: 50_000 }
const likesPerSecond = 100_000 / 3_600
/** The duration at the hourly rate. 3600 is the whole hour. */
const seconds = Number(process.env.BENCH_SECONDS ?? 300)
const rounds = Number(process.env.BENCH_ROUNDS ?? 30)
const roundSeconds = 2
const turns = Math.ceil(rounds / 5)
const turnSeconds = 15
/** The most active authors have an open device. */
const openDevices = 100
const badgeRounds = 20
/** Milliseconds, longer than the job's interval. */
const settleMs = 1_000
const mostRatio = 1.03
const mostLagMs = 1_000
/** The server keeps this many notifications per member, so only a member with fewer can have missed one. */
const keptRows = 500

type Stage = {
  serverUrl: string
  databaseUrl: string
  cookies: string[]
  rounds: NotificationRounds
  usedCpu(): number
}

export const notificationsUnderLoadBenchmark: BenchmarkDefinition = {
  goals: ['P27'],
  async run() {
    await using server = await startServer({ by: 'built', env: { LIMITS: 'off' } })
    const databaseUrl = server.databaseUrl()
    await loadDataset(databaseUrl, size)
    // Members outside a group cannot like its posts.
    await queryBenchDatabase(databaseUrl, 'update posts set group_id = null where group_id is not null')
    await queryBenchDatabase(databaseUrl, 'vacuum analyze')
    const members = Array.from({ length: size.members }, (_, n) => n + 1)
    const cookies = ['', ...(await createBenchSessions(databaseUrl, members))]
    const database = await postgresMainPid(databaseUrl)
    await using switched = await holdNotificationRounds(databaseUrl)
    const stage: Stage = {
      serverUrl: server.url,
      databaseUrl,
      cookies,
      rounds: switched,
      usedCpu: () => processCpuMs(server.pid) + processTreeCpuMs(database),
    }
    const results = [
      await compareAtFullSpeed(stage, 'like', 'P5, like with counter, c16'),
      await compareAtFullSpeed(stage, 'message', 'P6, send message, c16'),
    ]
    await using devices = await openSimulatedDevices(server.url, members.slice(0, openDevices), cookies)
    const [badgePost] = await queryBenchDatabase<{ id: number; author: number }>(
      databaseUrl,
      'select id::int, creator_id::int as author from posts where creator_id > $1 order by id desc limit 1',
      [openDevices],
    )
    const { id, author } = badgePost ?? { id: 1, author: 1 }
    const draw = await createLikeGenerator(databaseUrl, size.members, author)
    const stream: LikeStream = { serverUrl: server.url, cookies, draw, perSecond: likesPerSecond }
    results.push(await compareAtPace(stage, stream, devices))
    results.push(...(await measureBadges(stage, { post: id, author })))
    results.push(...(await measureLag(stage, stream, devices)))
    return results
  },
}

type NotificationRounds = AsyncDisposable & {
  stop(): Promise<void>
  /** Later actions cause notifications again. */
  start(): Promise<void>
  waitUntilReceived(): Promise<void>
}

async function holdNotificationRounds(url: string): Promise<NotificationRounds> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const isBehind = async () => {
    const { rows } = await client.query<{ behind: boolean }>(`
      select exists (select from changes c, notification_cursor n where c.xid >= pg_snapshot_xmin(n.seen)
        and not pg_visible_in_snapshot(c.xid, n.seen) and c.collection in ('posts', 'messages')) as behind`)
    return rows[0]?.behind ?? true
  }
  return {
    stop: async () => void (await client.query(`select pg_advisory_lock(hashtext('notifications'))`)),
    async start() {
      await client.query(
        `update notification_cursor set seen = pg_current_snapshot(), target = null, after_xid = '0', after_id = 0`,
      )
      await client.query(`select pg_advisory_unlock(hashtext('notifications'))`)
    },
    async waitUntilReceived() {
      const began = performance.now()
      while (await isBehind()) {
        if (performance.now() - began > 30_000) throw new Error('notifications stay behind')
        await pause(50)
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** `cpu`: milliseconds per request, including its notifications. */
type Figures = { speed: number; cpu: number }

async function compareAtFullSpeed(
  { serverUrl, cookies, rounds: jobs, usedCpu }: Stage,
  work: 'like' | 'message',
  what: string,
): Promise<BenchmarkResult> {
  const write = writeBenchmarkScenarios[work]
  let turn = 0
  const next = () => {
    turn += 1
    return { ...write.request(turn), cookie: cookies[pickBenchWriter(turn % writerCount)] ?? '' }
  }
  const measure = async (): Promise<Figures> => {
    const [before, began] = [usedCpu(), performance.now()]
    const load = { url: serverUrl, connections: 16, seconds: roundSeconds, method: write.method, next }
    const { '2xx': count } = await generateLoad(load)
    const speed = count / ((performance.now() - began) / 1000)
    await pause(settleMs)
    return { speed, cpu: (usedCpu() - before) / count }
  }
  const measureWithout = async () => {
    await jobs.stop()
    const figures = await measure()
    await jobs.start()
    return figures
  }
  const measureWith = async () => {
    const figures = await measure()
    await jobs.waitUntilReceived()
    return figures
  }
  const measured: { without: Figures; with: Figures }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % 2 ? await measureWithout() : null
    const withNotifications = await measureWith()
    const figures = { without: first ?? (await measureWithout()), with: withNotifications }
    if (round > 0) measured.push(figures)
  }
  const times = measured.map((round) => round.without.speed / round.with.speed)
  const cpu = median(measured.map((round) => round.with.cpu / round.without.cpu))
  const middle = (of: (round: (typeof measured)[number]) => number, digits: number) =>
    median(measured.map(of)).toFixed(digits)
  return {
    goal: 'P27',
    what: `${what}: time with ÷ without the rounds that write notifications, ${rounds} rounds of each`,
    figure: `${median(times).toFixed(2)} (${middle((round) => round.with.speed, 0)}/s beside ${middle((round) => round.without.speed, 0)}/s; CPU ${cpu.toFixed(2)}, ${middle((round) => round.with.cpu, 2)} ms beside ${middle((round) => round.without.cpu, 2)})`,
    spread: `middle half ${quantile(times, 0.25).toFixed(2)} … ${quantile(times, 0.75).toFixed(2)}`,
    target: `≤ ${mostRatio}`,
    met: median(times) <= mostRatio,
  }
}

async function compareAtPace(
  { rounds: jobs, usedCpu }: Stage,
  stream: LikeStream,
  devices: SimulatedDevices,
): Promise<BenchmarkResult> {
  const count = Math.round(turnSeconds * likesPerSecond)
  const measure = async () => {
    const before = usedCpu()
    await sendLikesAtPace(stream, (sent) => sent < count)
    await pause(settleMs)
    return (usedCpu() - before) / count
  }
  const kinds = {
    async without() {
      await jobs.stop()
      const cpu = await measure()
      await jobs.start()
      return cpu
    },
    async with() {
      devices.setAsking(false)
      const cpu = await measure()
      await jobs.waitUntilReceived()
      return cpu
    },
    async asking() {
      devices.setAsking(true)
      return await measure()
    },
  }
  const cpus: Record<keyof typeof kinds, number[]> = { without: [], with: [], asking: [] }
  const order = Object.keys(kinds) as (keyof typeof kinds)[]
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const kind of turn % 2 ? order : order.toReversed()) {
      const cpu = await kinds[kind]()
      if (turn > 0) cpus[kind].push(cpu)
    }
  }
  devices.setAsking(true)
  const ratios = cpus.with.map((cpu, turn) => cpu / (cpus.without[turn] ?? 1))
  const each = (kind: keyof typeof kinds) => `${median(cpus[kind]).toFixed(2)} ms`
  return {
    goal: 'P27',
    what: `CPU of server and PostgreSQL for a like at ${likesPerSecond.toFixed(0)} a second with ${openDevices} members listening: with ÷ without the rounds`,
    figure: `${median(ratios).toFixed(2)} (${each('with')} beside ${each('without')}; ${each('asking')} when the recipients ask for the number)`,
    spread: formatValueRange(ratios),
    target: 'reported',
    met: null,
  }
}

/** Opens the notifications on each of the author's three pages in turn. */
async function measureBadges(
  { serverUrl, databaseUrl, cookies }: Stage,
  { post, author }: { post: number; author: number },
): Promise<BenchmarkResult[]> {
  await queryBenchDatabase(databaseUrl, 'delete from post_likes where post_id = $1', [post])
  await using pages = await openNotificationBadgePages(
    serverUrl,
    await createBenchSessions(databaseUrl, [author, author]),
  )
  const path = `${serverUrl}/v1/posts/${publicIdBuilders.post(post)}/like`
  const likers = cookies.slice(1).filter((_, index) => index + 1 !== author)
  const rung: number[] = []
  const pressed: number[] = []
  const marked: number[] = []
  // In the first three rounds, pages load the list's code.
  for (let round = -3; round < badgeRounds; round += 1) {
    await sendRequestWithCookie(path, 'PUT', likers[round + 3] ?? '')
    const answeredAt = epochMilliseconds()
    const shownSince = await pages.allShowSince(1)
    const { pressedAt, seenAt, goneSince } = await pages.lookAtNotifications()
    await pages.closeNotifications()
    if (round < 0) continue
    rung.push(shownSince - answeredAt)
    pressed.push(goneSince - pressedAt)
    marked.push(Math.max(0, goneSince - seenAt))
  }
  const result = (what: string, times: number[]): BenchmarkResult => ({
    goal: 'P27',
    what: `${what}, the slowest of ${badgeRounds}`,
    figure: `${Math.max(...times).toFixed(0)} ms`,
    spread: `p50 ${median(times).toFixed(0)} ms`,
    target: `≤ ${mostLagMs} ms`,
    met: Math.max(...times) <= mostLagMs,
  })
  return [
    result('from a like’s answer until two tabs and a phone of its author show the same number', rung),
    result('from the press on the bell of one of them until none shows a number', pressed),
    result('from the answer that marks them as seen on one until none shows a number', marked),
  ]
}

async function measureLag(
  { databaseUrl, rounds: jobs, usedCpu }: Stage,
  stream: LikeStream,
  devices: SimulatedDevices,
): Promise<BenchmarkResult[]> {
  await pause(settleMs)
  await jobs.stop()
  await queryBenchDatabase(databaseUrl, 'truncate notifications, notification_marks, notification_throttle')
  await jobs.start()
  devices.takeLags()
  const [{ id: last = 0 } = {}] = await queryBenchDatabase<{ id: number }>(
    databaseUrl,
    'select max(id)::bigint as id from changes',
  )
  const count = Math.round(seconds * likesPerSecond)
  const liked = new Set<number>()
  const [before, began] = [usedCpu(), performance.now()]
  const answers = await sendLikesAtPace(
    stream,
    (sent) => sent < count,
    (like) => {
      liked.add(like.post)
      return devices.onLike(like)
    },
  )
  await jobs.waitUntilReceived()
  await pause(settleMs)
  const [cpu, elapsed] = [usedCpu() - before, performance.now() - began]
  const { received, shown } = devices.takeLags()
  const [rows] = await queryBenchDatabase<{
    notifications: number
    throttle: number
    outbox: number
    withNotifications: number
    megabytes: number
    missing: number
  }>(
    databaseUrl,
    `select (select count(*)::int from notifications) as notifications, (select count(*)::int from notification_throttle) as throttle,
       count(*)::int as outbox, count(*) filter (where collection = 'notifications')::int as "withNotifications",
       (select sum(pg_total_relation_size(name))::int / 1048576
        from unnest('{notifications,notification_throttle,notification_marks}'::regclass[]) as name) as megabytes,
       (select count(*)::int from posts p where p.id = any($2::bigint[])
          and not exists (select from notifications n where n.post_id = p.id and n.user_id = p.creator_id and n.kind = 'like')
          and (select count(*) from notifications n where n.user_id = p.creator_id) < $3) as missing
     from changes where id > $1`,
    [last, [...liked], keptRows],
  )
  const number = (value = Number.NaN) => value.toLocaleString('en')
  const at = (values: number[], part: number) => `${quantile(values, part).toFixed(0)} ms`
  const over = `${number(count)} likes in ${(elapsed / 60_000).toFixed(0)} minutes`
  const result = (
    what: string,
    figure: string,
    spread: string,
    target: string,
    met: boolean | null,
  ): BenchmarkResult => ({ ...{ goal: 'P27', what, figure, spread, target, met } })
  const lag = (what: string, values: number[]) =>
    result(
      `${over}: from a like’s answer until ${what}, p99 of ${number(values.length)}`,
      at(values, 0.99),
      `p50 ${at(values, 0.5)}, longest ${at(values, 1)}; the likes’ answers p50 ${at(answers, 0.5)}, p99 ${at(answers, 0.99)}`,
      `≤ ${mostLagMs} ms`,
      quantile(values, 0.99) <= mostLagMs,
    )
  return [
    result(
      `${over} for ${number(liked.size)} posts: rows of notifications`,
      `${number(rows?.notifications)} (and ${number(rows?.throttle)} of throttling, ${number(rows?.megabytes)} MB together)`,
      `outbox ${number(rows?.outbox)}, including ${number(rows?.withNotifications)} that notify sockets`,
      'reported',
      null,
    ),
    result('posts whose author was not notified', number(rows?.missing), '', '0', rows?.missing === 0),
    lag('its author’s socket receives it', received),
    lag('its author’s device has the new number', shown),
    result(
      `${over}: CPU of server and PostgreSQL`,
      `${(cpu / count).toFixed(2)} ms a like`,
      `${((cpu / elapsed) * 100).toFixed(0)} % of a core`,
      'reported',
      null,
    ),
  ]
}
