/**
 * `npm run chaos -- rolling` restarts two nodes behind HAProxy or our own load balancer, then flushes, pauses and
 * kills Redis. `-- 5` restarts five times instead of twenty.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
import { findBrokenInvariants } from '#server/database/invariants.ts'
import { connectToDatabase as connectDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { type LoadBalancer, startLoadBalancer } from './harness/load-balancer.ts'
import { findFreePort } from './harness/server-process.ts'
import { type RunningTraffic, startMemberTraffic, type TrafficReport } from './harness/traffic-generator.ts'
import { startTwoNodeCluster, type TwoNodeCluster } from './harness/two-node-cluster.ts'
import { projectRootPath } from './run-tool.ts'

const {
  positionals: [given = '20'],
} = parseArgs({ allowPositionals: true })
const rollings = Number(given)
if (!(rollings > 0)) throw new Error(`${given} is not a number of restarts`)
const crowd = { pairs: 4, readers: 2, uploaders: 1 }
const troubleSeconds = 5
let crowds = 0

const log = createServerLogger('warn')
const folder = mkdtempSync(join(tmpdir(), 'juntas-rolling-'))
const undo: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
const stopped = once(process, 'SIGTERM').then(() => {
  throw new Error('stopped')
})
try {
  await Promise.race([run(), stopped])
} finally {
  for (const step of undo.splice(0).reverse()) await step()
}
process.exit()

async function run(): Promise<void> {
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log })
  undo.push(() => database.stop())
  const redis = await startRedis()
  if (redis) undo.push(() => redis.end())
  const fleet = await startTwoNodeCluster(
    {
      DATABASE_URL: database.url,
      LIMITS: 'off',
      DRAIN_SECONDS: '5',
      TRUSTED_PROXIES: '127.0.0.1',
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    join(folder, 'files'),
  )
  undo.push(() => fleet.stop())
  const balancer = (await startHaproxy(fleet.urls)) ?? (await startLoadBalancer(fleet.urls))
  undo.push(() => balancer.close())
  for (const url of fleet.urls) await balancer.waitForRouting(url, true)

  console.log(
    `Two nodes, ${redis ? 'Redis' : 'NOTIFY'}, ${crowd.pairs} pairs who write ten messages a second each, ${crowd.readers} readers, ${crowd.uploaders} who uploads.\n`,
  )
  console.log(
    '| what happened | seconds | requests | failed | messages | lost | uploads | broken | heard after ms: p50 / p99 / longest |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  await during(balancer, 'nothing', async () => pause(5_000))
  const took: number[] = []
  await during(balancer, `${rollings} restarts in turns`, async () => {
    for (let rolling = 0; rolling < rollings; rolling += 1) took.push(await restart(fleet, rolling, balancer))
  })
  if (redis) {
    await during(balancer, 'Redis flushed every second', () => redis.flush(troubleSeconds))
    await during(balancer, `Redis paused for ${troubleSeconds} s`, () => redis.paused(troubleSeconds))
    await during(balancer, `Redis killed, ${troubleSeconds} s without`, () => redis.without(troubleSeconds))
  }
  const pool = connectDatabase({ url: database.url, log })
  const broken = await findBrokenInvariants(pool.pool)
  await pool.close()
  const slowest = Math.max(0, ...took).toFixed(1)
  console.log(
    `\nA restart took ${(took.reduce((sum, one) => sum + one, 0) / took.length).toFixed(1)} s, at most ${slowest} s.`,
  )
  console.log(broken.length === 0 ? 'All invariants hold.' : `Broken invariants: ${JSON.stringify(broken)}`)
}

async function restart(fleet: TwoNodeCluster, rolling: number, balancer: LoadBalancer): Promise<number> {
  const began = performance.now()
  const code = await fleet.restart(rolling % fleet.urls.length, balancer)
  if (code !== 0) throw new Error(`a node ended with ${code}`)
  return (performance.now() - began) / 1000
}

async function during(balancer: LoadBalancer, what: string, happen: () => Promise<unknown>): Promise<void> {
  crowds += 1
  const traffic: RunningTraffic = await startMemberTraffic(balancer.url, crowd, `crowd${crowds}x`)
  const began = performance.now()
  await happen()
  const seconds = (performance.now() - began) / 1000
  printReport(what, seconds, await traffic.stop())
}

function printReport(what: string, seconds: number, noticed: TrafficReport): void {
  const { requests, failed, messages, uploads, closings } = noticed
  const times = messages.milliseconds.toSorted((a, b) => a - b)
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(0)
  const cells = [
    what,
    seconds.toFixed(0),
    requests,
    failed.length,
    messages.sent.length,
    messages.lost.length,
    uploads.made,
    uploads.broken,
    `${at(0.5)} / ${at(0.99)} / ${at(1)}`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (process.env.ROLLING_DETAILS) console.error(what, 'sockets closed with', closings)
  for (const failure of failed.slice(0, 10)) console.error(failure)
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['-v']).error === undefined
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  child.kill('SIGCONT')
  await ended
}

async function startHaproxy(nodes: string[]): Promise<LoadBalancer | null> {
  if (!isInstalled('haproxy')) return null
  const port = await findFreePort()
  const socket = join(folder, 'haproxy.sock')
  const [a = '', b = ''] = nodes.map((url) => new URL(url).host)
  const child = spawn('haproxy', ['-db', '-f', join(projectRootPath, 'deploy/haproxy.cfg')], {
    env: { ...process.env, LISTEN: `127.0.0.1:${port}`, NODE_A: a, NODE_B: b, ADMIN_SOCKET: socket },
    // Hides messages at startup. The code below reports a failed start.
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const isUp = async (node: string) => {
    const asking = connect(socket)
    asking.on('error', () => {})
    asking.end('show stat\n')
    const lines = (await text(asking).catch(() => '')).split('\n')
    const name = node === nodes[0] ? 'a' : 'b'
    return lines.some((line) => line.startsWith(`nodes,${name},`) && line.split(',')[17] === 'UP')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async waitForRouting(node, ready) {
      while ((await isUp(node)) !== ready) {
        if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}: ${await said}`)
        await pause(100)
      }
    },
    close: () => end(child),
  }
}

async function startRedis() {
  if (!isInstalled('redis-server')) return null
  const port = await findFreePort()
  const start = () =>
    spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    )
  let child = start()
  return {
    url: `redis://127.0.0.1:${port}`,
    async flush(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        const asking = connect(port, '127.0.0.1')
        asking.end('FLUSHALL\r\nQUIT\r\n')
        await text(asking)
        await pause(1000)
      }
    },
    async paused(seconds: number) {
      child.kill('SIGSTOP')
      await pause(seconds * 1000)
      child.kill('SIGCONT')
      await pause(2000)
    },
    async without(seconds: number) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await pause(seconds * 1000)
      child = start()
      await pause(seconds * 1000)
    },
    end: () => end(child),
  }
}
