/** P12 and P13: how long a start takes beside a hello world, and what the server process holds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCluster } from '#tests/server.ts'
import { readers } from './community.ts'
import { type Finding, type Measure, median, spreadOf } from './findings.ts'
import { signInSome, uploadForm, uploadMany } from './pictures.ts'
import { load, memoryOf, startProduct, startScript } from './programs.ts'
import { openStage, signIn } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const idleMs = 15_000
const uploads = 100
const size = { members: 1_000, posts: 20_000 }
const megabyte = 1024 * 1024

/** The least that can answer: as CommonJS, because a module that imports `node:http` starts slower. */
const helloWorld = `
  const server = require('node:http').createServer((_, answer) => answer.end('Hello'))
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

/** P12. */
export const coldStart: Measure = {
  goals: ['P12'],
  async run() {
    const stage = await openStage()
    const dataDir = mkdtempSync(join(tmpdir(), 'juntas-start-'))
    try {
      await makeCluster(dataDir)
      const url = await stage.copyOf(size)
      const measured: { hello: number; external: number; embedded: number }[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const hello = await timeOf(() => startScript(['-e', helloWorld]))
        const external = await timeOf(() => startProduct(url))
        const embedded = await timeOf(() => startProduct(null, { DATA_DIR: dataDir }))
        // The first round makes the schema and the compile cache.
        if (round > 0) measured.push({ hello, external, embedded })
      }
      const finding = (what: string, key: 'external' | 'embedded', most: number): Finding => {
        const ratios = measured.map((round) => round[key] / round.hello)
        const [ms, hello] = [key, 'hello' as const].map((of) =>
          median(measured.map((round) => round[of])).toFixed(0),
        )
        const figure = `${median(ratios).toFixed(1)} (${ms} ms beside ${hello} ms)`
        return {
          goal: 'P12',
          what,
          figure,
          spread: spreadOf(ratios, 1),
          target: `≤ ${most}`,
          met: median(ratios) <= most,
        }
      }
      return [
        finding('start to first 200, database running ÷ hello world', 'external', 6),
        finding('start to first 200, embedded PostgreSQL included ÷ hello world', 'embedded', 8),
      ]
    } finally {
      await stage.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

/** From the start of the process to the end of its first answer. */
async function timeOf(start: () => ReturnType<typeof startProduct>): Promise<number> {
  const began = performance.now()
  const { url, stop } = await start()
  const answer = await fetch(`${url}/v1/ping`)
  await answer.text()
  const taken = performance.now() - began
  await stop()
  return taken
}

/** P13. */
export const memory: Measure = {
  goals: ['P13'],
  async run() {
    const stage = await openStage()
    try {
      const url = await stage.copyOf(size)
      const cookie = await signIn(url, readers.usual)
      const server = await startProduct(url)
      await pause(idleMs)
      const idle = memoryOf(server.pid) / megabyte
      for (const path of ['/v1/feed', '/v1/explore'])
        await load({ url: server.url, next: () => ({ path, cookie }), connections: 64, seconds: 8 })
      await uploadMany({
        url: server.url,
        cookies: await signInSome(url),
        form: await uploadForm(),
        count: uploads,
      })
      const most = memoryOf(server.pid, 'VmHWM') / megabyte
      await server.stop()
      const finding = (what: string, value: number, target: number): Finding => ({
        goal: 'P13',
        what,
        figure: `${value.toFixed(0)} MB`,
        target: `≤ ${target} MB`,
        met: value <= target,
      })
      return [
        finding('memory of the server process, idle', idle, 140),
        finding(`the same at most, after c64 runs and ${uploads} uploads of 3 MB`, most, 280),
      ]
    } finally {
      await stage.close()
    }
  },
}
