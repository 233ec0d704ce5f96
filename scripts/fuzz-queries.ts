/**
 * `npm run fuzz-queries [executions] [seed]`: tries that many odd queries on both parsers and on the writing of their SQL;
 * exit code 1 if one of them is neither understood nor refused by name, or takes longer than the bound.
 */
import { documentCollections } from '#server/appwrite/document-collections.ts'
import { fuzzQueries, tryOut } from '#tests/appwrite/odd-queries.ts'

const mostMilliseconds = 50

const executions = Number(process.argv[2] ?? 1_000_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32)
const { understood, refused, unforeseen, slow } = fuzzQueries({ executions, seed })

for (const { text, error } of unforeseen.slice(0, 20)) console.log(`✗ ${JSON.stringify(text)}: ${error}`)
const slowest = Math.max(0, ...slow.map(bestTime))
console.log(
  `${executions} queries (seed ${seed}): ${understood} understood, ${refused} refused, ${unforeseen.length} unforeseen; ` +
    `${slow.length} above 5 ms at first, the slowest of them ${slowest.toFixed(1)} ms when tried again`,
)
process.exitCode = unforeseen.length === 0 && slowest <= mostMilliseconds ? 0 : 1

/** The best of several tries on every collection, because a busy machine is no property of a query. */
function bestTime(text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    for (const collection of Object.values(documentCollections)) {
      try {
        tryOut(text, collection)
      } catch {
        // Counted above.
      }
    }
    return performance.now() - start
  })
  return Math.min(...times)
}
