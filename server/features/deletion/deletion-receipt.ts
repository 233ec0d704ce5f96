/**
 * A receipt counts what was erased and names nobody. Only a person who has its URL knows whose receipt it is.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, compactVerify, exportJWK } from 'jose'
import type { ReceiptCounts } from '#contract/deletion/deletion.ts'
import type { InstanceKey } from '../../auth/instance-key.ts'

/** All times are ISO 8601. */
export type DeletionReceipt = {
  id: string
  counts: ReceiptCounts
  askedAt: string
  erasedAt: string
  goneFromBackupsAt: string
}

type ReceiptKey = { privateKey: KeyObject; publicKey: KeyObject; x: string; kid: string }

const algorithm = 'EdDSA'
/** The PKCS #8 prefix of an Ed25519 seed (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

async function toReceiptKey(seed: Buffer): Promise<ReceiptKey> {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  const jwk = await exportJWK(publicKey)
  return { privateKey, publicKey, x: jwk.x as string, kid: await calculateJwkThumbprint(jwk) }
}

/** @returns a JWS in compact form (RFC 7515) */
export async function signDeletionReceipt(
  instanceKey: InstanceKey,
  receipt: DeletionReceipt,
): Promise<string> {
  const { privateKey, kid } = await toReceiptKey(await instanceKey.deriveReceiptSeed())
  return new CompactSign(Buffer.from(JSON.stringify(receipt)))
    .setProtectedHeader({ alg: algorithm, kid })
    .sign(privateKey)
}

/** @returns null unless this instance signed exactly this text */
export async function verifyDeletionReceipt(
  instanceKey: InstanceKey,
  signed: string,
): Promise<{ receipt: DeletionReceipt; kid: string } | null> {
  const seed = await instanceKey.findReceiptSeed()
  if (seed === null) return null
  const { publicKey, kid } = await toReceiptKey(seed)
  try {
    const { payload } = await compactVerify(signed.trim(), publicKey, { algorithms: [algorithm] })
    return { receipt: JSON.parse(Buffer.from(payload).toString('utf8')), kid }
  } catch {
    return null
  }
}

/** The list of keys (RFC 8037) is empty before the first receipt. */
export async function listDeletionReceiptJwks(instanceKey: InstanceKey) {
  const seed = await instanceKey.findReceiptSeed()
  if (seed === null) return []
  const { x, kid } = await toReceiptKey(seed)
  return [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: algorithm, use: 'sig' }]
}
