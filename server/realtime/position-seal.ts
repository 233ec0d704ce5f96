/**
 * Positions contain PostgreSQL's transaction counter. Comparing plain ones would reveal when another member
 * reads a message.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
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

export async function loadPositionSeal(db: Kysely<DatabaseTables>): Promise<PositionSeal> {
  const { rows } = await sql<{ position_key: Buffer }>`
    insert into instance as i (position_key) values (${randomBytes(32)})
    on conflict (only_row) do update set position_key = coalesce(i.position_key, excluded.position_key)
    returning position_key`.execute(db)
  return createChangeLogPositionSeal((rows[0] as (typeof rows)[number]).position_key)
}
