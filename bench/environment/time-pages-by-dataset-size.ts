/** Requests the same pages in turn, from communities of different sizes. */
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { median } from '../report/results.ts'
import { createBenchSessionCookie } from './bench-databases.ts'
import type { DatasetSize } from './generate-dataset.ts'
import { type RunningBenchProcess, startProductServer } from './start-processes.ts'

/** All other sizes are multiples of this one. */
const smallestDatasetSize: DatasetSize = { members: 1_000, posts: 10_000 }

export const scaleDatasetSize = (step: number): DatasetSize => ({
  members: smallestDatasetSize.members * step,
  posts: smallestDatasetSize.posts * step,
})

export type TimedPage = { name: string; path: string; member: number }

/** `step` times the smallest data set. */
export type ServerWithDataset<Page extends TimedPage = TimedPage> = {
  step: number
  size: DatasetSize
  server: RunningBenchProcess
  pages: Page[]
  cookies: Map<number, string>
}

export async function startServerWithDataset<Page extends TimedPage>(
  url: string,
  step: number,
  pages: Page[],
): Promise<ServerWithDataset<Page>> {
  const cookies = new Map<number, string>()
  for (const member of new Set(pages.map((page) => page.member)))
    cookies.set(member, await createBenchSessionCookie(url, member))
  return { step, size: scaleDatasetSize(step), server: await startProductServer(url), pages, cookies }
}

/** Median milliseconds per round, by page and server index. */
export type PageTimes = Map<string, number[][]>

/** @param requests for a page before the next server's turn */
export async function timePagesInterleaved(
  servers: readonly ServerWithDataset[],
  { rounds, requests }: { rounds: number; requests: number },
): Promise<PageTimes> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: PageTimes = new Map()
  for (const [index, { name }] of (servers[0]?.pages ?? []).entries()) {
    const byServer: number[][] = servers.map(() => [])
    for (let round = 0; round <= rounds; round += 1) {
      for (const [place, { server, pages, cookies }] of servers.entries()) {
        const { path, member } = pages[index] as TimedPage
        const taken: number[] = []
        for (let n = 0; n < requests; n += 1)
          taken.push(await timeOf(agent, `${server.url}${path}`, cookies.get(member) ?? ''))
        if (round > 0) byServer[place]?.push(median(taken))
      }
    }
    times.set(name, byServer)
  }
  agent.destroy()
  return times
}

function timeOf(agent: Agent, url: string, cookie: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { cookie } }, (answer) => {
      answer.resume()
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - began)
        else reject(new Error(`${url} answered ${answer.statusCode}`))
      })
    })
      .on('error', reject)
      .end()
  })
}
