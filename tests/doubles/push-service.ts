/** Verifies the sender (RFC 8292) and decrypts (RFC 8291) independently of the server's code. */
import { createPublicKey, randomBytes, verify, webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { PushMessage } from '#contract/notifications/push.ts'
import type { OutboundNetwork } from '#server/net/public-address.ts'

const { subtle } = webcrypto

export type TestBrowser = { endpoint: string; keys: { p256dh: string; auth: string } }

export type ReceivedPush = {
  to: string
  message: PushMessage
  headers: IncomingMessage['headers']
  length: number
  claims: { aud?: string; exp?: number; sub?: string }
  publicKey: string
}

export type TestPushService = {
  host: string
  reach: OutboundNetwork
  browser(): Promise<TestBrowser>
  received: ReceivedPush[]
  answer(browser: TestBrowser, how: number | ((response: ServerResponse) => void)): void
  requests: string[]
  end(): Promise<void>
}

type Bytes = Buffer<ArrayBuffer>
type Keys = { privateKey: webcrypto.CryptoKey; point: Bytes; auth: Bytes }

export async function startFakePushService(): Promise<TestPushService> {
  const pem = readFileSync(join(import.meta.dirname, 'push-service.pem'), 'utf8')
  const browsers = new Map<string, Keys>()
  const answers = new Map<string, number | ((response: ServerResponse) => void)>()
  const [received, requests]: [ReceivedPush[], string[]] = [[], []]
  const server = createServer({ key: pem, cert: pem }, async (request, response) => {
    const path = request.url ?? ''
    requests.push(`${request.method} ${path}`)
    const answer = answers.get(path)
    const keys = browsers.get(path)
    if (typeof answer === 'function') return answer(response)
    if (answer !== undefined || !keys) return void response.writeHead(answer ?? 404).end('x'.repeat(5000))
    try {
      const record = await decrypt(Buffer.from(await buffer(request)), keys)
      received.push({
        to: `https://${host}${path}`,
        message: JSON.parse(record.text.toString()),
        headers: request.headers,
        length: record.length,
        ...verifySender(request.headers.authorization ?? '', `https://${host}`),
      })
      response.writeHead(201).end()
    } catch (error) {
      response.writeHead(400).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `push.example:${port}`
  return {
    host,
    received,
    requests,
    reach: {
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      allows: (address) => address === '127.0.0.1',
      ports: [port],
      certificateAuthority: pem,
    },
    async browser() {
      const pair = (await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
        'deriveBits',
      ])) as webcrypto.CryptoKeyPair
      const point = Buffer.from(await subtle.exportKey('raw', pair.publicKey))
      const auth = Buffer.from(randomBytes(16))
      const path = `/send/${randomBytes(12).toString('hex')}`
      browsers.set(path, { privateKey: pair.privateKey, point, auth })
      return {
        endpoint: `https://${host}${path}`,
        keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
      }
    },
    answer: ({ endpoint }, how) => void answers.set(new URL(endpoint).pathname, how),
    async end() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function decrypt(body: Bytes, { privateKey, point, auth }: Keys) {
  const [salt, size] = [body.subarray(0, 16), body.readUInt32BE(16)]
  const sender = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + sender.length)
  if (sealed.length > size) throw new Error('more than one record')
  const secret = await subtle.deriveBits(
    {
      name: 'ECDH',
      public: await subtle.importKey('raw', sender, { name: 'ECDH', namedCurve: 'P-256' }, false, []),
    },
    privateKey,
    256,
  )
  const info = Buffer.concat([Buffer.from('WebPush: info\0', 'latin1'), point, sender])
  const input = await hkdf(Buffer.from(secret), auth, info, 32)
  const [contentKey, nonce] = await Promise.all([
    hkdf(input, salt, Buffer.from('Content-Encoding: aes128gcm\0', 'latin1'), 16),
    hkdf(input, salt, Buffer.from('Content-Encoding: nonce\0', 'latin1'), 12),
  ])
  const key = await subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt'])
  const record = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, sealed))
  const end = record.findLastIndex((byte) => byte !== 0)
  if (record[end] !== 2) throw new Error('not the last record')
  return { text: record.subarray(0, end), length: record.length }
}

async function hkdf(input: Bytes, salt: Bytes, info: Bytes, length: number): Promise<Bytes> {
  const key = await subtle.importKey('raw', input, 'HKDF', false, ['deriveBits'])
  return Buffer.from(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8))
}

/** @throws Error unless the key signed the token, for this service and at most a day */
function verifySender(authorization: string, origin: string): Pick<ReceivedPush, 'claims' | 'publicKey'> {
  const [, head = '', body = '', signature = '', publicKey = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signed = Buffer.from(`${head}.${body}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const seconds = claims.exp - Date.now() / 1000
  if (!isSigned || alg !== 'ES256' || claims.aud !== origin || seconds <= 0 || seconds > 24 * 3600)
    throw new Error('the sender is not who it says')
  return { claims, publicKey }
}
