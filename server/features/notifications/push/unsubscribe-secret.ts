/**
 * Makes and reads the secrets by which letters end the summaries of one member. They are stored nowhere: a tag of the instance's key
 * says that it made them. They end summaries and do nothing else, so they last.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InstanceKey } from '../../../auth/instance-key.ts'

const tagOf = (key: Buffer, member: string) => createHmac('sha256', key).update(member).digest()

/** @param member public id */
export async function createUnsubscribeSecret(instanceKey: InstanceKey, member: string): Promise<string> {
  return `${member}.${tagOf(await instanceKey.deriveUnsubscribeKey(), member).toString('base64url')}`
}

/** @returns the member's public id, or null for what this instance did not make */
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
