/** Makes WebAuthn passkeys (sections 6.1 and 6.5) that can make any false statement, as an attacker could. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion, PasskeyAttestation } from '#contract/account/webauthn-json.ts'

export type PasskeyForgeries = {
  origin?: string
  host?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  /** Whether the passkey claims that the member used a finger, a face or a PIN. */
  userVerified?: boolean
  count?: number
  userHandle?: string | undefined
  key?: KeyObject
}

export type SoftwarePasskey = {
  credentialId: string
  attestation: PasskeyAttestation
  key: KeyObject
  assert(challenge: string, lies?: PasskeyForgeries): PasskeyAssertion
}

const origin = 'http://localhost:3000'

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()

const clientData = (type: string, challenge: string, lies: PasskeyForgeries) =>
  Buffer.from(
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
      crossOrigin: lies.crossOrigin ?? false,
    }),
  )

/** Contains the hash of the host, flags, counter and, for a new passkey, id and key. */
function authenticatorData(
  { host = 'localhost', userVerified = true }: PasskeyForgeries,
  count: number,
  made?: Buffer,
) {
  const flags = 1 | (userVerified ? 4 : 0) | (made ? 64 : 0)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(count, 1)
  return Buffer.concat([sha256(host), head, made ?? Buffer.alloc(0)])
}

/** COSE: key type EC2, algorithm ES256, curve P-256. */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
}

/** @param counts synchronised passkeys do not count their uses */
export function createSoftwarePasskey(
  options: { challenge: string; user: { id: string } },
  { counts = true, ...lies }: PasskeyForgeries & { counts?: boolean; credentialId?: Buffer } = {},
): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = lies.credentialId ?? randomBytes(32)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const made = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
  let count = counts ? 1 : 0
  const authData = new Uint8Array(authenticatorData(lies, count, made))
  const attestationObject = isoCBOR.encode(
    new Map<string, string | Map<string, string> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  )
  const credentialId = encode(id)
  const credential = { id: credentialId, rawId: credentialId, type: 'public-key' as const }
  return {
    credentialId,
    key: privateKey,
    attestation: {
      ...credential,
      response: {
        clientDataJSON: encode(clientData('webauthn.create', options.challenge, lies)),
        attestationObject: encode(attestationObject),
        transports: ['internal'],
      },
    },
    assert(challenge, lies = {}) {
      if (counts) count += 1
      const data = clientData('webauthn.get', challenge, lies)
      const authData = authenticatorData(lies, lies.count ?? count)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), lies.key ?? privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: encode(data),
          authenticatorData: encode(authData),
          signature: encode(signature),
          userHandle: 'userHandle' in lies ? lies.userHandle : options.user.id,
        },
      }
    },
  }
}
