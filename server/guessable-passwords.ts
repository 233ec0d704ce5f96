/**
 * Passwords that are guessed first: those that most people choose, and those made of what is known of her (security
 * reference §5.2). The list is in memory from the first password that somebody chooses: 18,000 entries, 4 MB.
 */
import { passwordLength } from '#contract/limits.ts'
import { fail } from './errors.ts'

/** What others know of her: a password must be more than one of these. */
export type Known = { name: string; username?: string; email: string | null }

let loaded: Promise<Set<string>> | undefined

/** The library's list is in small letters; what is shorter than any password may be needs no entry. */
const common = () =>
  (loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter((password) => password.length >= passwordLength.min)),
  ))

/** Without accents, case, digits and marks: `Ana.García1990` is `anagarcia`. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

/** @throws Failure 400 `password_too_common` */
export async function refuseCommon(password: string): Promise<void> {
  if ((await common()).has(password.toLowerCase())) fail('password_too_common', { field: 'password' })
}

/** @throws Failure 400 `password_personal_data` for one of her names with digits and marks around it */
export function refusePersonal(password: string, { name, username = '', email }: Known): void {
  const given = password.toLowerCase()
  const letters = lettersOf(password)
  const guessed = [name, username, email ?? '', email?.split('@')[0] ?? '', 'juntas'].some(
    (word) => word.toLowerCase() === given || (letters.length > 2 && lettersOf(word) === letters),
  )
  if (guessed) fail('password_personal_data', { field: 'password' })
}
