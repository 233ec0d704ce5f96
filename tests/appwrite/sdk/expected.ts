/** What the answers of an SDK's calls must look like, by the published models. */
import { problemsWith } from '../models.ts'
import type { Call } from './script.ts'

type Model = Parameters<typeof problemsWith>[0]

const answers: readonly [Model, RegExp][] = [
  [
    'account',
    /^Account\.(get|create|updateName|updatePrefs|updatePhone|updateEmail|updatePassword|updateStatus)$/,
  ],
  ['sessionList', /^Account\.listSessions$/],
  ['session', /^Account\.(getSession|updateSession|create(Email|EmailPassword|Anonymous)?Session)$/],
  ['session', /^Account\.update(MagicURL|Phone)Session$/],
  ['token', /^Account\.(create|update)(Email|Phone)?Verification$/],
  ['token', /^Account\.(create|update)Recovery$/],
  ['token', /^Account\.create(MagicURL|Phone|Email)Token$/],
  ['token', /^Account\.create(MagicURL|Phone)Session$/],
  ['jwt', /^Account\.createJWT$/],
  ['logList', /^Account\.listLogs$/],
  ['identityList', /^Account\.listIdentities$/],
]

/** @returns what is wrong with the answers, one by one */
export function problemsOf(calls: readonly Call[]): string[] {
  return calls.flatMap(({ name, answer }) => {
    const [model] = answers.find(([, names]) => names.test(name)) ?? []
    if (model === undefined || answer === undefined) return []
    return problemsWith(model, answer).map((problem) => `${name}: ${problem}`)
  })
}
