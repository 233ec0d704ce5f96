/** `npm run doctor`: looks at the configured instance and says in words what is wrong; exit code 1 if anything is. */
import { BadSettings, readConfig } from '#server/config.ts'
import { checks, type Verdict } from './doctor-checks.ts'

const marks: Record<Verdict, string> = { well: '✓', careful: '!', wrong: '✗' }

async function examine(): Promise<Verdict[]> {
  const config = readConfig(process.env)
  const verdicts: Verdict[] = []
  for (const check of checks) {
    for (const { verdict, sentence } of [await check(config)].flat()) {
      console.log(`${marks[verdict]} ${sentence}`)
      verdicts.push(verdict)
    }
  }
  return verdicts
}

try {
  const verdicts = await examine()
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  console.log(`\n${count('wrong')} wrong, ${count('careful')} to be careful about, ${count('well')} well.`)
  process.exitCode = count('wrong') > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof BadSettings)) throw error
  for (const problem of error.problems) console.log(`✗ ${problem}`)
  process.exitCode = 1
}
