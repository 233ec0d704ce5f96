/** `npm run doctor`: looks at the configured instance and says in words what is wrong; exit code 1 if anything is. */
import { InvalidConfigError, readConfig } from '#server/config.ts'
import { type DoctorVerdict, doctorChecks } from './doctor-checks.ts'

const marks: Record<DoctorVerdict, string> = { ok: '✓', warning: '!', failure: '✗' }

async function examine(): Promise<DoctorVerdict[]> {
  const config = readConfig(process.env)
  const verdicts: DoctorVerdict[] = []
  for (const check of doctorChecks) {
    for (const { verdict, sentence } of [await check(config)].flat()) {
      console.log(`${marks[verdict]} ${sentence}`)
      verdicts.push(verdict)
    }
  }
  return verdicts
}

try {
  const verdicts = await examine()
  const count = (wanted: DoctorVerdict) => verdicts.filter((verdict) => verdict === wanted).length
  console.log(`\n${count('failure')} wrong, ${count('warning')} to be careful about, ${count('ok')} well.`)
  process.exitCode = count('failure') > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof InvalidConfigError)) throw error
  for (const problem of error.problems) console.log(`✗ ${problem}`)
  process.exitCode = 1
}
