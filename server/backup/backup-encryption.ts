/** The server knows only public age keys, so a restore needs the identity file with the private key. */
import { readFile } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import { StartupError } from '#server/startup-error.ts'
import { InvalidBackupError } from './manifest.ts'

export type ByteTransform = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

export const unchanged: ByteTransform = (chunks) => chunks

/** Leaves bytes unchanged if there are no recipients. @throws StartupError for an invalid recipient */
export async function createEncryption(recipients: readonly string[]): Promise<ByteTransform> {
  if (recipients.length === 0) return unchanged
  await assertBackupRecipients(recipients)
  const { Encrypter } = await import('age-encryption')
  return async function* (chunks) {
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    yield* fromWeb(await encrypter.encrypt(toWeb(chunks)))
  }
}

export async function assertBackupRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await import('age-encryption')
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient)
    } catch {
      throw new StartupError(`BACKUP_RECIPIENT: ${recipient} is not a public key of age.`)
    }
  }
}

/** @param file as age-keygen writes it @throws StartupError if the file has no key */
export async function openBackupIdentity(file: string): Promise<ByteTransform> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartupError(`The identity file cannot be read: ${error.message}.`)
  })
  const keys = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
  const { Decrypter } = await import('age-encryption')
  const open = () => {
    const decrypter = new Decrypter()
    for (const key of keys) decrypter.addIdentity(key.trim())
    return decrypter
  }
  try {
    open()
  } catch {
    throw new StartupError(`${file} contains no age key, which is a line AGE-SECRET-KEY-1….`)
  }
  if (keys.length === 0) throw new StartupError(`${file} contains no age key.`)
  return async function* (chunks) {
    try {
      yield* fromWeb(await open().decrypt(toWeb(chunks)))
    } catch (error) {
      if (/no identity matched/.test(String(error)))
        throw new InvalidBackupError('The backup is encrypted for a different key.')
      if ((error as NodeJS.ErrnoException).syscall) throw error
      throw new InvalidBackupError('The backup is damaged: one of its files cannot be decrypted.')
    }
  }
}

export async function generateBackupIdentity(): Promise<{ identity: string; recipient: string }> {
  const { generateIdentity, identityToRecipient } = await import('age-encryption')
  const key = await generateIdentity()
  const recipient = await identityToRecipient(key)
  return { identity: `# public key: ${recipient}\n${key}\n`, recipient }
}

type WebStream = globalThis.ReadableStream<Uint8Array>
const toWeb = (chunks: AsyncIterable<Uint8Array>) => ReadableStream.from(chunks) as unknown as WebStream
const fromWeb = (stream: WebStream) => stream as unknown as AsyncIterable<Uint8Array>
