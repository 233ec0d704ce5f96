/**
 * Positions contain PostgreSQL's transaction counter. Comparing plain ones would reveal when another member
 * reads a message.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { loadInstanceSecret } from '../database/instance-id.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { ChangeLogPosition } from '../store/change-log-reader.ts'

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const plainLength = 16
const sealedLength = nonceLength + plainLength + tagLength

export type PositionSeal = {
  /** The result differs for each call. */
  seal(position: ChangeLogPosition): string
  /** Null for positions that another instance sealed. */
  open(sealed: string): ChangeLogPosition | null
}

export function createChangeLogPositionSeal(key: Buffer): PositionSeal {
  return {
    seal({ xid, at }) {
      const plain = Buffer.alloc(plainLength)
      plain.writeBigUInt64BE(xid)
      plain.writeBigUInt64BE(BigInt(at), 8)
      const nonce = randomBytes(nonceLength)
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagLength })
      return Buffer.concat([nonce, sealing.update(plain), sealing.final(), sealing.getAuthTag()]).toString(
        'base64url',
      )
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length !== sealedLength) return null
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength), {
        authTagLength: tagLength,
      }).setAuthTag(bytes.subarray(-tagLength))
      try {
        const plain = Buffer.concat([
          opening.update(bytes.subarray(nonceLength, -tagLength)),
          opening.final(),
        ])
        return { xid: plain.readBigUInt64BE(), at: Number(plain.readBigUInt64BE(8)) }
      } catch {
        return null
      }
    },
  }
}

export const loadPositionSeal = async (db: Kysely<DatabaseTables>): Promise<PositionSeal> =>
  createChangeLogPositionSeal(await loadInstanceSecret(db))
