/**
 * RFC 8292. The instance's key determines the key pair, so all nodes share it, and a restored instance can
 * still notify subscribed browsers.
 */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Config } from '../config.ts'
import { isLoopbackName } from '../loopback-name.ts'
import type { InstanceKey } from './instance-key.ts'

/** Half of what the RFC allows. Renewed in the last hour. */
const tokenSeconds = 12 * 60 * 60
const renewalSeconds = 60 * 60
const maxTokens = 100

/** The order of P-256 (SEC 2, section 2.4.2). */
const curveOrder = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')

export type VapidSigner = {
  publicKey(): Promise<string>
  /** @param origin the push service's origin */
  authorization(origin: string): Promise<string>
}

export function createVapidSigner(
  config: Pick<Config, 'publicUrl' | 'mailFrom'>,
  instanceKey: InstanceKey,
): VapidSigner {
  let loading: Promise<{ privateKey: KeyObject; publicKey: string }> | null = null
  const tokens = new Map<string, { token: string; expires: number }>()
  const load = () => {
    loading ??= instanceKey.derivePushSeed().then(toKeyPair)
    loading.catch(() => {
      loading = null
    })
    return loading
  }
  return {
    publicKey: async () => (await load()).publicKey,
    async authorization(origin) {
      const { privateKey, publicKey } = await load()
      const now = Math.floor(Date.now() / 1000)
      let known = tokens.get(origin)
      if (!known || known.expires < now + renewalSeconds) {
        const subject = contactOf(config)
        const expires = now + tokenSeconds
        const token = await new SignJWT(subject === null ? {} : { sub: subject })
          .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
          .setAudience(origin)
          .setExpirationTime(expires)
          .sign(privateKey)
        known = { token, expires }
        if (tokens.size >= maxTokens) tokens.clear()
        tokens.set(origin, known)
      }
      return `vapid t=${known.token}, k=${publicKey}`
    },
  }
}

function toKeyPair(seed: Buffer): { privateKey: KeyObject; publicKey: string } {
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (curveOrder - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const point = pair.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: d.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  return {
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: point.toString('base64url'),
  }
}

/** Apple's push service refuses a contact address on this machine with 403. */
function contactOf({ publicUrl, mailFrom }: Pick<Config, 'publicUrl' | 'mailFrom'>): string | null {
  const url = publicUrl === null ? null : new URL(publicUrl)
  if (url?.protocol === 'https:' && !isLoopbackName(url.hostname)) return url.origin
  const address = /<([^<>\s]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim()
  const host = /^[^@\s]+@([^@\s]+)$/.exec(address)?.[1]
  return host === undefined || isLoopbackName(host) ? null : `mailto:${address}`
}
