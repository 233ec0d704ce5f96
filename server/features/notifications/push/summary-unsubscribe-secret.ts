/**
 * The secret is not stored: it is signed with a key derived from the instance's key.
 * The secret can only unsubscribe one member from digests, so it does not expire.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InstanceKey } from '../../../auth/instance-key.ts'

const tagOf = (key: Buffer, member: string) => createHmac('sha256', key).update(member).digest()

/** @param member the public id */
export async function createUnsubscribeSecret(instanceKey: InstanceKey, member: string): Promise<string> {
  return `${member}.${tagOf(await instanceKey.deriveUnsubscribeKey(), member).toString('base64url')}`
}

/** @returns the member's public id, or null if the secret is invalid */
export async function verifyUnsubscribeSecret(
  instanceKey: InstanceKey,
  secret: string,
): Promise<string | null> {
  const [, member, tag] = /^(.+)\.([\w-]{43})$/.exec(secret) ?? []
  if (member === undefined || tag === undefined) return null
  const key = await instanceKey.findUnsubscribeKey()
  if (key === null) return null
  return timingSafeEqual(tagOf(key, member), Buffer.from(tag, 'base64url')) ? member : null
}
