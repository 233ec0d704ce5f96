/** F08: pictures made to exhaust, and what a reader and the server's memory notice of them (security reference M4). */
import { hugePng, manyScans, profileBomb, textBomb } from '#tests/bad-pictures.ts'
import { asking } from '#tests/person.ts'
import { remote } from '#tests/remote.ts'
import { filesPath, formOf } from '#tests/uploading.ts'
import { everyday, readers } from './community.ts'
import { type Measure, median, spreadOf } from './findings.ts'
import { load, memoryOf, startProduct } from './programs.ts'
import { openStage, signIn } from './stage.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const attackers = 3

type Figures = { p99: number; most: number }

/** F08. */
export const readingWhileBombed: Measure = {
  goals: ['F08'],
  async run() {
    const stage = await openStage()
    try {
      const url = await stage.copyOf(everyday)
      const cookie = await signIn(url, readers.usual)
      const cookies = await Promise.all(Array.from({ length: attackers }, (_, n) => signIn(url, n + 1)))
      const bombs = await Promise.all([
        textBomb('zTXt'),
        textBomb('iTXt'),
        profileBomb(),
        hugePng(30_000, 30_000),
        hugePng(2 ** 31 - 1, 2 ** 31 - 1),
        manyScans(1000),
      ])
      const forms = await Promise.all(bombs.map((bytes) => formOf({ bytes })))
      const server = await startProduct(url)
      const reading = async () => {
        const next = () => ({ path: '/v1/feed', cookie })
        let most = 0
        const look = setInterval(() => {
          most = Math.max(most, memoryOf(server.pid))
        }, 50)
        const { latency } = await load({ url: server.url, next, connections: 4, seconds: 6 })
        clearInterval(look)
        return { p99: latency.p99, most }
      }
      const attack = { going: false, sent: 0, slowest: 0, taken: 0 }
      const bombing = async (attacker: string) => {
        const { request } = asking(remote(server.url), attacker)
        for (let turn = 0; attack.going; turn += 1) {
          const form = forms[turn % forms.length]
          const began = performance.now()
          const { status } = await request('POST', filesPath, form?.body, form?.headers)
          attack.slowest = Math.max(attack.slowest, performance.now() - began)
          attack.sent += 1
          // Without what makes it a bomb, a picture may be as good as any other.
          if (status === 201) attack.taken += 1
          else if (status !== 400) throw new Error(`A bomb answered ${status}`)
        }
      }
      const measured: { alone: Figures; beside: Figures }[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const alone = await reading()
        attack.going = true
        const bombed = Promise.all(cookies.map(bombing))
        const beside = await reading()
        attack.going = false
        await bombed
        if (round > 0) measured.push({ alone, beside })
      }
      await server.stop()
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
          spread: spreadOf(ratios),
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
    } finally {
      await stage.close()
    }
  },
}
