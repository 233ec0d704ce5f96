/** P20: two nodes on one PostgreSQL beside one. The load itself takes a core, so that only four and more tell something. */
import { availableParallelism } from 'node:os'
import { everyday, readers } from './community.ts'
import { type Measure, median, spreadOf } from './findings.ts'
import { load, startProduct } from './programs.ts'
import { openStage, signIn } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const coresThatTell = 4

export const twoNodes: Measure = {
  goals: ['P20'],
  async run() {
    const stage = await openStage()
    try {
      const url = await stage.copyOf(everyday)
      const cookie = await signIn(url, readers.usual)
      const nodes = [await startProduct(url), await startProduct(url)]
      const next = () => ({ path: '/v1/feed', cookie })
      const perSecond = async (some: typeof nodes) => {
        const each = some.map((node) => load({ url: node.url, connections: 16 / some.length, seconds, next }))
        const results = await Promise.all(each)
        return results.reduce((sum, { requests }) => sum + requests.average, 0)
      }
      const measured: { two: number; one: number }[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const one = await perSecond(nodes.slice(0, 1))
        const two = await perSecond(nodes)
        if (round > 0) measured.push({ one, two })
      }
      for (const node of nodes) await node.stop()
      const ratios = measured.map(({ one, two }) => two / one)
      const cores = availableParallelism()
      const [two, one] = (['two', 'one'] as const).map((of) =>
        median(measured.map((round) => round[of])).toFixed(0),
      )
      return [
        {
          goal: 'P20',
          what: `home, c16, two nodes ÷ one, on ${cores} cores`,
          figure: `${median(ratios).toFixed(2)} (${two}/s beside ${one}/s)`,
          spread: spreadOf(ratios),
          target: `≥ 1.7 on ${coresThatTell} cores`,
          met: cores < coresThatTell ? null : median(ratios) >= 1.7,
        },
      ]
    } finally {
      await stage.close()
    }
  },
}
