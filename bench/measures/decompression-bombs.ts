/** Attack F08: the effect on other requests and on memory. */

import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, encodeMultipartUpload } from '#api-client/raw-multipart-upload.ts'
import {
  createHugePngHeader,
  createManyScanJpeg,
  createPngColorProfileBomb,
  createPngTextBomb,
} from '#scripts/harness/malicious-images.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { defaultDatasetSize, sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad, measureUnderBackgroundLoad } from '../environment/load-generator.ts'
import { processMemoryBytes } from '../environment/resource-usage.ts'
import { startProductServer } from '../environment/start-processes.ts'
import { type BenchmarkDefinition, formatValueRange, median } from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const attackers = 3

type Figures = { p99: number; most: number }

export const decompressionBombBenchmark: BenchmarkDefinition = {
  goals: ['F08'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(defaultDatasetSize)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
    const cookies = await Promise.all(
      Array.from({ length: attackers }, (_, n) => createBenchSessionCookie(url, n + 1)),
    )
    const bombs = await Promise.all([
      createPngTextBomb('zTXt'),
      createPngTextBomb('iTXt'),
      createPngColorProfileBomb(),
      createHugePngHeader(30_000, 30_000),
      createHugePngHeader(2 ** 31 - 1, 2 ** 31 - 1),
      createManyScanJpeg(1000),
    ])
    const forms = await Promise.all(bombs.map((bytes) => encodeMultipartUpload({ bytes })))
    await using server = await startProductServer(url)
    const reading = async () => {
      const next = () => ({ path: '/v1/feed', cookie })
      let most = 0
      const look = setInterval(() => {
        most = Math.max(most, processMemoryBytes(server.pid))
      }, 50)
      const { latency } = await generateLoad({ url: server.url, next, connections: 4, seconds: 6 })
      clearInterval(look)
      return { p99: latency.p99, most }
    }
    const attack = { sent: 0, slowest: 0, taken: 0 }
    const bombing = async (attacker: string, goesOn: () => boolean) => {
      const { request } = createApiClient(createHttpTransport(server.url), attacker)
      for (let turn = 0; goesOn(); turn += 1) {
        const form = forms[turn % forms.length]
        const began = performance.now()
        const { status } = await request('POST', appwriteFilesPath, form?.body, form?.headers)
        attack.slowest = Math.max(attack.slowest, performance.now() - began)
        attack.sent += 1
        // After the server removes the bomb, the rest may be a valid picture.
        if (status === 201) attack.taken += 1
        else if (status !== 400) throw new Error(`A bomb answered ${status}`)
      }
    }
    const measured: { alone: Figures; beside: Figures }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const alone = await reading()
      const beside = await measureUnderBackgroundLoad(
        (goesOn) => Promise.all(cookies.map((attacker) => bombing(attacker, goesOn))),
        reading,
      )
      if (round > 0) measured.push({ alone, beside })
    }
    const grown = median(measured.map(({ alone, beside }) => beside.most - alone.most)) / 1e6
    const ratios = measured.map(({ alone, beside }) => beside.p99 / alone.p99)
    const [beside, alone] = (['beside', 'alone'] as const).map((of) =>
      median(measured.map((round) => round[of].p99)).toFixed(0),
    )
    return [
      {
        goal: 'F08',
        what: `home p99 at c4 while ${attackers} members send picture bombs ÷ without`,
        figure: `${median(ratios).toFixed(2)} (${beside} ms beside ${alone} ms)`,
        spread: formatValueRange(ratios),
        target: '< 2',
        met: median(ratios) < 2,
      },
      {
        goal: 'F08',
        what: `the server’s largest memory under ${attack.sent} bombs (${attack.taken} harmless once cleaned) above that without, MB`,
        figure: grown.toFixed(0),
        spread: '',
        target: '< 50',
        met: grown < 50,
      },
      {
        goal: 'F08',
        what: 'slowest answer to a bomb, s',
        figure: (attack.slowest / 1000).toFixed(1),
        spread: '',
        target: '≤ 5',
        met: attack.slowest <= 5000,
      },
    ]
  },
}
