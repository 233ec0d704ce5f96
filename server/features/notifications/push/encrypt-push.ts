/** Messages are encrypted (RFC 8291 over RFC 8188), so push services cannot read them. */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** `p256dh` is an uncompressed P-256 point, and `auth` is a secret of 16 bytes. */
export type PushKeys = { p256dh: Buffer; auth: Buffer }

/** Bytes of the single record. Push services accept no more (RFC 8291, section 4). */
const recordSize = 4096
/** Bytes. The padding hides the text's length. */
const paddedTo = 512
const ended = Buffer.from([2])

/**
 * @param own the message's key pair and salt; random except in the test of the RFC's example
 * @throws Error for an invalid browser key
 */
export function encryptPush(
  text: Buffer,
  browser: PushKeys,
  own: { privateKey?: Buffer; salt?: Buffer; pads?: boolean } = {},
): Buffer {
  const pair = createECDH('prime256v1')
  if (own.privateKey) pair.setPrivateKey(own.privateKey)
  else pair.generateKeys()
  const salt = own.salt ?? randomBytes(16)
  const point = pair.getPublicKey()
  const key = expand(
    pair.computeSecret(browser.p256dh),
    browser.auth,
    Buffer.concat([Buffer.from('WebPush: info\0'), browser.p256dh, point]),
    32,
  )
  const cipher = createCipheriv(
    'aes-128-gcm',
    expand(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    expand(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  )
  const unpadded = text.length + ended.length
  const padding = own.pads === false ? 0 : (paddedTo - (unpadded % paddedTo)) % paddedTo
  const header = Buffer.alloc(21)
  salt.copy(header)
  header.writeUInt32BE(recordSize, 16)
  header.writeUInt8(point.length, 20)
  return Buffer.concat([
    header,
    point,
    cipher.update(Buffer.concat([text, ended, Buffer.alloc(padding)])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

const expand = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

export function areValidPushKeys(keys: PushKeys): boolean {
  if (keys.auth.length !== 16 || keys.p256dh.length !== 65) return false
  try {
    encryptPush(Buffer.of(), keys)
    return true
  } catch {
    return false
  }
}
