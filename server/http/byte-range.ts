import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../blobs/blob-store.ts'
import { throwFailure } from '../errors.ts'

/**
 * Accepts `a-b`, `a-` or the last `-n` bytes (RFC 9110 §14.1.2). Several ranges or other units get the whole
 * file.
 * @throws Failure 416 `storage_invalid_range`, with the size in `content-range`
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
  reply: FastifyReply,
): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return null
  const range =
    first === ''
      ? { start: Math.max(0, size - Number(last)), end: size - 1 }
      : { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  if (range.start <= range.end) return range
  reply.header('content-range', `bytes */${size}`)
  return throwFailure('storage_invalid_range')
}
