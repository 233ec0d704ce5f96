/**
 * `npm run bench -- scale` computes docs/scale.md for ten thousand to a hundred million members from
 * request-costs.json. `-- measure` measures the costs first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '#scripts/harness/seeded-random.ts'
import { projectRootPath } from '#scripts/run-tool.ts'
import { measureRequestCosts, type RequestCost, type RequestCostReport } from './measure-request-costs.ts'

const costsFile = join(projectRootPath, 'bench/capacity/request-costs.json')
const page = join(projectRootPath, 'docs/scale.md')

/** An active member's daily requests, assumed. All other numbers are measured. */
const day: Record<string, number> = {
  home: 12,
  explore: 8,
  profile: 5,
  thread: 12,
  picture: 120,
  like: 8,
  message: 10,
  post: 0.2,
  upload: 0.2,
}
/** Shares of members per day and of requests in the busiest hour, and how long a socket stays open. */
const comes = 0.4
const busiestHour = 0.1
const socketMinutes = 60
/** Queues grow long above this utilisation of a core. */
const busy = 0.6
const coresOfNode = 1
const sizes = [10_000, 1_000_000, 100_000_000]

if (process.argv.includes('measure')) {
  writeFileSync(costsFile, `${JSON.stringify(await measureRequestCosts(), null, 2)}\n`)
}
const costs = JSON.parse(readFileSync(costsFile, 'utf8')) as RequestCostReport
const cost = (work: string): RequestCost => costs.each[work] ?? { server: 0, database: 0, bytes: 0 }
const tables = [costsTable(), membersTable(), feedTable(), hourTable()]
const markdown = tables.join('\n\n')
console.log(markdown)
const [before, after] = readFileSync(page, 'utf8').split(/<!-- computed -->[\s\S]*<!-- end of computed -->/)
writeFileSync(page, `${before}<!-- computed -->\n${markdown}\n<!-- end of computed -->${after}`)

function costsTable(): string {
  const rows = Object.entries(costs.each).map(([work, { server, database, bytes }]) => [
    work,
    server.toFixed(2),
    database.toFixed(2),
    bytes > 0 ? `${(bytes / 1000).toFixed(1)} kB` : '',
    String(day[work] ?? ''),
  ])
  rows.push(
    ['a change without recipients on a node', costs.changePassedBy.server.toFixed(3), '', '', ''],
    ['an open socket', '', '', `${(costs.socketBytes / 1000).toFixed(1)} kB of memory`, ''],
  )
  const { members, posts } = costs.size
  const title = `**Cost of one request** (CPU in ms, ${members.toLocaleString('en')} members, ${posts.toLocaleString('en')} posts)`
  return `${title}\n\n${table(['what', 'server', 'PostgreSQL', 'bytes sent', 'a day each'], rows)}`
}

function daily(of: (cost: RequestCost) => number): number {
  return Object.entries(day).reduce((sum, [work, times]) => sum + times * of(cost(work)), 0)
}

type Load = {
  perSecond: number
  serverCores: number
  databaseCores: number
  nodes: number
  passingCores: number
  sockets: number
  megabits: number
  terabytesAYear: number
}

function loadOf(members: number): Load {
  const active = members * comes
  const inHour = (aDay: number) => (active * aDay * busiestHour) / 3600
  const serverCores = inHour(daily(({ server }) => server)) / 1000
  const databaseCores = inHour(daily(({ database }) => database)) / 1000
  const nodes = Math.ceil(serverCores / busy / coresOfNode)
  // Every node reads every change. A message makes two, a post or like one.
  const changes = inHour(2 * (day.message ?? 0) + (day.post ?? 0) + (day.like ?? 0))
  return {
    perSecond: inHour(Object.values(day).reduce((sum, times) => sum + times, 0)),
    serverCores,
    databaseCores,
    nodes,
    passingCores: (nodes * changes * costs.changePassedBy.server) / 1000,
    sockets: (active * busiestHour * socketMinutes) / 60,
    megabits: (inHour(daily(({ bytes }) => bytes)) * 8) / 1e6,
    terabytesAYear: (active * (day.upload ?? 0) * 365 * costs.pictureBytes) / 1e12,
  }
}

function membersTable(): string {
  const rows = sizes.map((members) => {
    const load = loadOf(members)
    return [
      members.toLocaleString('en'),
      whole(load.perSecond),
      load.serverCores.toFixed(1),
      load.databaseCores.toFixed(1),
      whole(load.nodes),
      load.passingCores < 0.05 ? '0' : load.passingCores.toFixed(1),
      `${whole(load.sockets)} (${((load.sockets * costs.socketBytes) / 1e9).toFixed(1)} GB)`,
      whole(load.megabits),
      load.terabytesAYear.toFixed(1),
    ]
  })
  const heads = [
    'members',
    'requests/s',
    'server cores',
    'PostgreSQL cores',
    'nodes',
    'cores reading others’ changes',
    'sockets',
    'Mbit/s',
    'TB of pictures a year',
  ]
  return `**The busiest hour** (${comes * 100} % of members are active each day, ${busiestHour * 100} % of a day’s requests in one hour; cores at ${busy * 100} %)\n\n${table(heads, rows)}`
}

function homeCost(follows: number): number {
  const points = costs.homeByFollows.map(({ follows: at, cost }) => ({ at, ms: cost.server + cost.database }))
  const next = points.findIndex(({ at }) => at >= follows)
  const [low, high] = [points[Math.max(0, (next === -1 ? points.length : next) - 1)], points[next]]
  if (!high) return points.at(-1)?.ms ?? 0
  if (!low || low === high) return high.ms
  const share = Math.log(follows / low.at) / Math.log(high.at / low.at)
  return low.ms + share * (high.ms - low.ms)
}

/**
 * Compares fan-out on read, which Juntas uses, with one feed row per follower and post. Follows and posts follow
 * power laws.
 */
function feedTable(): string {
  const rows = [10_000, 100_000, 1_000_000].map((members) => {
    const random = chance(members)
    const follows = new Uint32Array(members)
    const followers = new Uint32Array(members)
    for (let member = 0; member < members; member += 1) {
      follows[member] = Math.min(5000, Math.floor(20 / random() ** 0.6))
      for (let follow = 0; follow < Math.min(follows[member] ?? 0, 200); follow += 1) {
        // Cubing gives most followers to the first few members.
        const followed = Math.floor(random() ** 3 * members)
        followers[followed] =
          (followers[followed] ?? 0) + (follows[member] ?? 0) / Math.min(follows[member] ?? 1, 200)
      }
    }
    let gathered = 0
    let rowsPut = 0
    let largest = 0
    for (let member = 0; member < members; member += 1) {
      if (random() > comes) continue
      gathered += (day.home ?? 0) * homeCost(follows[member] ?? 1)
      const posts = (day.post ?? 0) * Math.min(10, 0.5 + Math.log10(1 + (followers[member] ?? 0)))
      rowsPut += posts * (followers[member] ?? 0)
      largest = Math.max(largest, followers[member] ?? 0)
    }
    const simple = costs.each.explore ?? { server: 0, database: 0, bytes: 0 }
    const reading = members * comes * (day.home ?? 0) * (simple.server + simple.database)
    const putting = rowsPut * costs.feedRow.database
    return [
      members.toLocaleString('en'),
      hours(gathered),
      hours(reading),
      hours(putting),
      whole(rowsPut),
      `${whole(largest)} rows, ${((largest * costs.feedRow.database) / 1000).toFixed(1)} s`,
    ]
  })
  const heads = [
    'members',
    'computed on read: core hours a day',
    'stored: reading',
    'stored: writing',
    'rows a day',
    'a post by the most followed member',
  ]
  return `**Home: computed on read, or stored for each member** (simulated person by person, one seed)\n\n${table(heads, rows)}`
}

/** Requests arrive at random and wait for a free core. Times include the wait. */
function hourTable(): string {
  const rows: string[][] = []
  for (const members of [10_000, 100_000, 1_000_000]) {
    const { perSecond, serverCores, databaseCores } = loadOf(members)
    const enough = [1.1, 1 / busy, 3].map((spare) => Math.ceil((serverCores + databaseCores) * spare))
    for (const cores of new Set(enough)) {
      const waits = simulate(perSecond, cores, members)
      const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1)
      const used = ((serverCores + databaseCores) / cores) * 100
      rows.push([
        members.toLocaleString('en'),
        whole(perSecond),
        String(cores),
        `${used.toFixed(0)} %`,
        at(0.5),
        at(0.99),
      ])
    }
  }
  return `**The busiest hour, simulated** (random arrivals, first come first served)\n\n${table(['members', 'requests/s', 'cores', 'busy', 'p50 ms', 'p99 ms'], rows)}`
}

/** @returns the sorted response times of about 200,000 requests in milliseconds */
function simulate(perSecond: number, cores: number, seed: number): Float64Array {
  const random = chance(seed)
  let total = 0
  const works = Object.entries(day).map(([work, times]) => {
    total += times
    return { work, until: total }
  })
  const free = new Float64Array(cores)
  const took = new Float64Array(200_000)
  let now = 0
  for (let request = 0; request < took.length; request += 1) {
    now += (-Math.log(1 - random()) * 1000) / perSecond
    const drawn = random() * total
    const { server, database } = cost(works.find(({ until }) => drawn < until)?.work ?? 'picture')
    let first = 0
    for (let core = 1; core < cores; core += 1) if ((free[core] ?? 0) < (free[first] ?? 0)) first = core
    const begins = Math.max(now, free[first] ?? 0)
    free[first] = begins + server + database
    took[request] = (free[first] ?? 0) - now
  }
  return took.sort()
}

function chance(seed: number): () => number {
  const random = seededRandom(seed)
  return () => random(2 ** 31) / 2 ** 31
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}

function hours(milliseconds: number): string {
  return (milliseconds / 3_600_000).toFixed(2)
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
