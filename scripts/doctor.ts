/** `npm run doctor` exits with 1 if the instance has problems. */
import { InvalidConfigError } from '#server/config.ts'
import { doctorChecks } from '#server/doctor/doctor-checks.ts'
import type { DoctorVerdict } from '#server/doctor/doctor-finding.ts'
import { readInstanceConfig, runOperatorCommand, UsageError } from './operator-command.ts'

const marks: Record<DoctorVerdict, string> = { ok: '✓', warning: '!', failure: '✗' }

const countOf = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

async function examine(): Promise<DoctorVerdict[]> {
  const config = readInstanceConfig()
  const verdicts: DoctorVerdict[] = []
  for (const { examine } of doctorChecks) {
    for (const { verdict, sentence } of [await examine(config)].flat()) {
      console.log(`${marks[verdict]} ${sentence}`)
      verdicts.push(verdict)
    }
  }
  return verdicts
}

await runOperatorCommand({
  usage: ['npm run doctor'],
  async work({ words }) {
    if (words.length > 0) throw new UsageError('This command takes no arguments.')
    try {
      const verdicts = await examine()
      const count = (wanted: DoctorVerdict) => verdicts.filter((verdict) => verdict === wanted).length
      const problems = countOf(count('failure'), 'problem')
      const warnings = countOf(count('warning'), 'warning')
      console.log(`\n${problems}, ${warnings}, ${count('ok')} OK.`)
      return count('failure') > 0 ? 1 : 0
    } catch (error) {
      if (!(error instanceof InvalidConfigError)) throw error
      for (const problem of error.problems) console.log(`✗ ${problem}`)
      return 1
    }
  },
})
