/** `npm run fuzz -- queries [executions] [seed]`. Exits with 1 after an unexpected error or a slow query. */
import { fuzzQueryParser } from './fuzz/fuzz-query-parser.ts'

const mostMilliseconds = 50

const executions = Number(process.argv[2] ?? 1_000_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32)
const { understood, refused, unforeseen, longest, longestWait } = fuzzQueryParser({ executions, seed })

for (const { text, error } of unforeseen.slice(0, 20)) console.log(`✗ ${JSON.stringify(text)}: ${error}`)
if (longest.ms > mostMilliseconds) console.log(`✗ ${JSON.stringify(longest.text)} took too long`)
console.log(
  `${executions} queries (seed ${seed}): ${understood} understood, ${refused} refused, ${unforeseen.length} unforeseen; ` +
    `the longest took ${longest.ms.toFixed(1)} ms of the processor; ${longestWait.toFixed(1)} ms by the clock`,
)
process.exitCode = unforeseen.length === 0 && longest.ms <= mostMilliseconds ? 0 : 1
