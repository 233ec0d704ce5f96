/**
 * The key encrypts secrets that the server must read again. It is not in the database, so a leaked database
 * or backup reveals no secret.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { StartupError } from '../startup-error.ts'

/** A sealed secret opens only for its purpose and owner. */
export type SealedSecretPurpose = { purpose: 'totp' | 'invitation' | 'email'; owner: string | number }

/** `unused`: the database has no fingerprint of a key yet. */
export type KeyComparison = 'same' | 'unused' | 'unreachable'

export type InstanceKey = {
  /** Creates the key if needed. Returns a nonce of 12 bytes, the ciphertext and a tag of 16 bytes. */
  seal(secret: Buffer, about: SealedSecretPurpose): Promise<Buffer>
  /** Null if this key did not seal the secret for this purpose and owner. */
  open(sealed: Buffer, about: SealedSecretPurpose): Promise<Buffer | null>
  /** Derived secrets have 32 bytes. */
  deriveReceiptSeed(): Promise<Buffer>
  /** Returns null if no key exists, and creates none. */
  findReceiptSeed(): Promise<Buffer | null>
  deriveExportKey(): Promise<Buffer>
  derivePushSeed(): Promise<Buffer>
  deriveUnsubscribeKey(): Promise<Buffer>
  /** Returns null if no key exists, and creates none. */
  findUnsubscribeKey(): Promise<Buffer | null>
  /** Writes nothing. @throws StartupError for a missing or different key */
  assertMatchesDatabase(): Promise<KeyComparison>
  /** After this, a node with a different key does not start. */
  registerForOtherNodes(): Promise<void>
}

const keyLength = 32
const nonceLength = 12
const tagLength = 16
const cipher = 'aes-256-gcm'

const fingerprintOf = (key: Buffer) =>
  createHash('sha256').update('juntas instance key\0').update(key).digest().subarray(0, 16)

/** True for an empty database and for an older one, which do not have the key's fingerprint. */
const schemaIsOlder = ({ code }: { code?: string }) => code === '42P01' || code === '42703'

/** The server starts even if the database is unreachable, because the first use compares the key again. */
function throwUnlessUnreachable(error: unknown): void {
  if (error instanceof StartupError) throw error
}

export const instanceKeyPath = (dataDir: string): string => join(dataDir, 'secret.key')

/** Returns null if no key exists. @throws StartupError for a damaged file */
export function readInstanceKey({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): Buffer | null {
  if (secretKey !== undefined) return Buffer.from(secretKey, 'base64')
  const path = instanceKeyPath(dataDir)
  try {
    const key = Buffer.from(readFileSync(path, 'latin1').trim(), 'base64')
    if (key.length === keyLength) return key
    throw new StartupError(`${path} is no key: a key has ${keyLength} bytes as base64.`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function createInstanceKey(
  { secretKey, dataDir, databaseUrl }: Pick<Config, 'secretKey' | 'dataDir' | 'databaseUrl'>,
  { kysely }: Pick<Database, 'kysely'>,
): InstanceKey {
  const path = instanceKeyPath(dataDir)
  const readKey = () => readInstanceKey({ secretKey, dataDir })
  let loading: Promise<Buffer> | null = null

  const selectFingerprint = async () => {
    const { rows } = await sql<{
      key_fingerprint: Buffer | null
    }>`select key_fingerprint from instance`.execute(kysely)
    return rows[0]?.key_fingerprint ?? null
  }

  /** With DATABASE_URL the server creates no key, because a second node would create a different one. */
  const assertHasSharedKey = () => {
    if (databaseUrl === undefined || readKey() !== null) return
    throw new StartupError(
      'SECRET_KEY is missing: with DATABASE_URL every node needs the same key. Make one with `openssl rand -base64 32`, and ' +
        `store it separately from the backups. A node that made a key before has it in ${path}.`,
    )
  }

  function makeKey(): Buffer {
    assertHasSharedKey()
    mkdirSync(dataDir, { recursive: true })
    try {
      // Only the server's user may read the file. Of two processes, only one creates it.
      writeFileSync(path, `${randomBytes(keyLength).toString('base64')}\n`, {
        flag: 'wx',
        mode: 0o600,
        flush: true,
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return readKey() as Buffer
  }

  const assertSame = (key: Buffer | null, fingerprint: Buffer) => {
    if (key !== null && fingerprintOf(key).equals(fingerprint)) return
    throw new StartupError(
      `${key === null ? `${path} is missing` : `The key ${secretKey === undefined ? `in ${path}` : 'in SECRET_KEY'} is another one`}: ` +
        'members’ authenticator apps were set up with the key that this instance had. Put it back, give it to every node as ' +
        'SECRET_KEY, or, if it is lost, run `npm run account -- new-key`: apps stop working then, recovery codes do not.',
    )
  }

  async function load(): Promise<Buffer> {
    const known = await selectFingerprint()
    if (known !== null) {
      const key = readKey()
      assertSame(key, known)
      return key as Buffer
    }
    const key = readKey() ?? makeKey()
    const { rows } = await sql<{ key_fingerprint: Buffer }>`
      insert into instance as i (key_fingerprint) values (${fingerprintOf(key)})
      on conflict (only_row) do update set key_fingerprint = coalesce(i.key_fingerprint, excluded.key_fingerprint)
      returning key_fingerprint`.execute(kysely)
    assertSame(key, rows[0]?.key_fingerprint as Buffer)
    return key
  }

  async function derive(purpose: string): Promise<Buffer> {
    loading ??= load()
    loading.catch(() => {
      loading = null
    })
    return Buffer.from(hkdfSync('sha256', await loading, '', purpose, keyLength))
  }

  return {
    async seal(secret, { purpose, owner }) {
      const nonce = randomBytes(nonceLength)
      const sealing = createCipheriv(cipher, await derive(purpose), nonce).setAAD(Buffer.from(String(owner)))
      return Buffer.concat([nonce, sealing.update(secret), sealing.final(), sealing.getAuthTag()])
    },
    async open(sealed, { purpose, owner }) {
      const opening = createDecipheriv(cipher, await derive(purpose), sealed.subarray(0, nonceLength), {
        authTagLength: tagLength,
      })
        .setAAD(Buffer.from(String(owner)))
        .setAuthTag(sealed.subarray(-tagLength))
      try {
        return Buffer.concat([opening.update(sealed.subarray(nonceLength, -tagLength)), opening.final()])
      } catch {
        return null
      }
    },
    deriveExportKey: () => derive('export'),
    derivePushSeed: () => derive('push'),
    deriveUnsubscribeKey: () => derive('unsubscribe'),
    deriveReceiptSeed: () => derive('receipt'),
    findUnsubscribeKey: async () => ((await selectFingerprint()) === null ? null : derive('unsubscribe')),
    findReceiptSeed: async () => ((await selectFingerprint()) === null ? null : derive('receipt')),
    async assertMatchesDatabase() {
      const known = await selectFingerprint().catch((error: { code?: string }) =>
        schemaIsOlder(error) ? null : undefined,
      )
      if (known) assertSame(readKey(), known)
      assertHasSharedKey()
      if (known === undefined) return 'unreachable'
      return known ? 'same' : 'unused'
    },
    async registerForOtherNodes() {
      if (databaseUrl !== undefined) await derive('invitation').catch(throwUnlessUnreachable)
    },
  }
}
