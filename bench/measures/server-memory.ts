/** Goal P13: the memory when idle and after load. */
import { setTimeout as pause } from 'node:timers/promises'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad } from '../environment/load-generator.ts'
import { processMemoryBytes } from '../environment/resource-usage.ts'
import { startProductServer } from '../environment/start-processes.ts'
import type { BenchmarkDefinition, BenchmarkResult } from '../report/results.ts'
import { createPhotoUploadForm, signInConcurrentUploaders, uploadConcurrently } from './image-uploads.ts'

const idleMs = 15_000
const uploads = 100
const size = { members: 1_000, posts: 20_000 }
const megabyte = 1024 * 1024

export const serverMemoryBenchmark: BenchmarkDefinition = {
  goals: ['P13'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
    await using server = await startProductServer(url)
    await pause(idleMs)
    const idle = processMemoryBytes(server.pid) / megabyte
    for (const path of ['/v1/feed', '/v1/explore'])
      await generateLoad({ url: server.url, next: () => ({ path, cookie }), connections: 64, seconds: 8 })
    await uploadConcurrently({
      url: server.url,
      cookies: await signInConcurrentUploaders(url),
      form: await createPhotoUploadForm(),
      count: uploads,
    })
    const most = processMemoryBytes(server.pid, 'VmHWM') / megabyte
    const finding = (what: string, value: number, target: number): BenchmarkResult => ({
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
  },
}
