/**
 * `npm run bench`: the product beside its yardsticks in interleaved rounds, told as ratios, because machines are shared and
 * noisy. `npm run bench -- P1 P4` measures some goals. What is found replaces what was found before in
 * docs/benchmarks.md.
 */
import { readingWhileBombed } from './bombs.ts'
import { asTable, keepFindings, type Measure } from './findings.ts'
import { growth } from './growth.ts'
import { twoNodes } from './nodes.ts'
import { readingWhileUploading, uploads } from './pictures.ts'
import { requests } from './requests.ts'
import { crowds, latency } from './sockets.ts'
import { coldStart, memory } from './start.ts'
import { starvation } from './starvation.ts'
import { web } from './web.ts'

const wanted = process.argv.slice(2).map((goal) => goal.toUpperCase())
const known = (goals: string[]): Measure[] => [
  requests(goals),
  uploads,
  readingWhileUploading,
  readingWhileBombed,
  starvation,
  latency,
  crowds,
  coldStart,
  memory,
  web,
  growth,
  twoNodes,
]
const every = known([]).flatMap(({ goals }) => goals)
const unknown = wanted.filter((goal) => !every.includes(goal))
if (unknown.length > 0) {
  console.error(`There is no bench for ${unknown.join(', ')}; there is one for ${every.join(' ')}.`)
  process.exit(1)
}
const goals = wanted.length > 0 ? wanted : every
for (const measure of known(goals)) {
  if (!measure.goals.some((goal) => goals.includes(goal))) continue
  const found = await measure.run()
  console.log(asTable(found))
  keepFindings(found)
}
