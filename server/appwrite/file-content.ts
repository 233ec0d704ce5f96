/**
 * Bytes of files over HTTP: what is said before them, and which of them are asked for. Everything here runs after the
 * member's right to read the file is established, 304 included (reading W-06).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Opened, Range } from '../blobs.ts'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import type { VisibleFile } from '../files.ts'
import { judgeOrigin } from '../origins.ts'

/** What is served: its name among caches, its type, and the bytes once they are needed. */
export type Content = {
  /** Without quotes; changes when the bytes do. */
  tag: string
  type: string
  /** Parts of it may be asked for. */
  ranges: boolean
  /** `Accept` decides what it is. */
  negotiated: boolean
  disposition?: string
  open(): Promise<Opened & { instead?: StandIn }>
}

/** What is given in the place of a picture that is still being made: nobody keeps it under that picture's name. */
export type StandIn = { tag: string; type: string }

/**
 * A page elsewhere that embeds a member's picture would learn from the browser whether she may see it (security reference
 * F15).
 */
export function refuseForeignEmbedding(request: FastifyRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers
  if (site === 'cross-site' && mode === 'no-cors') fail('storage_file_not_found')
}

/**
 * A listed client of the same site, whose browser brings the session along, may show pictures on its pages (decision
 * 0111); nobody else's page may.
 */
function embeddableBy(request: FastifyRequest, config: Config): 'same-site' | 'same-origin' {
  const { referer } = request.headers
  const listed = referer !== undefined && judgeOrigin(referer, request, config) === 'listed'
  return listed ? 'same-site' : 'same-origin'
}

/** @param config which foreign clients there are */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  file: VisibleFile,
  content: Content,
): Promise<FastifyReply> {
  const etag = `"${content.tag}"`
  reply.headers({
    etag,
    'cache-control': cachingOf(request, file),
    'cross-origin-resource-policy': embeddableBy(request, config),
    vary: `Origin, Referer, Cookie, X-Fallback-Cookies${content.negotiated ? ', Accept' : ''}`,
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()

  const opened = await content.open()
  const { tag, type } = opened.instead ?? content
  if (opened.instead) reply.headers({ etag: `"${tag}"`, 'cache-control': 'private, no-store' })
  const ranges =
    content.ranges && [undefined, etag].includes(request.headers['if-range'] as string | undefined)
  const range = ranges ? readRange(request.headers.range, opened.size, reply) : undefined
  const length = range ? range.end - range.start + 1 : opened.size
  reply.type(type).header('content-length', length)
  if (content.disposition) reply.header('content-disposition', content.disposition)
  if (content.ranges) reply.header('accept-ranges', 'bytes')
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${opened.size}`)
  return request.method === 'HEAD' ? reply.send() : reply.send(opened.read(range))
}

/**
 * What is not everybody's is asked about each time before it is shown. A browser does not ask on Back, though, when it kept
 * a picture that was opened by itself: so that one it may not keep.
 */
function cachingOf({ headers }: FastifyRequest, file: VisibleFile): string {
  if (everybodys(file)) return 'private, max-age=3600'
  return headers['sec-fetch-dest'] === 'document' ? 'private, no-store' : 'private, no-cache'
}

/** Whether every member may see it, so that her browser may show it for an hour without asking again. */
const everybodys = (file: VisibleFile) => file.state === 'attached' && file.group_id === null

const isKnown = (header: string | undefined, etag: string) =>
  header === '*' || (header ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag)

/** The dialect's ranges (platform reference §9.4): `a-b` and `a-`, nothing from the end, no single byte. */
function readRange(header: string | undefined, size: number, reply: FastifyReply): Range | undefined {
  if (header === undefined) return undefined
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? []
  const start = Number(first ?? Number.NaN)
  const end = last ? Number(last) : size - 1
  if (start < end && end < size) return { start, end }
  reply.header('content-range', `bytes */${size}`)
  return fail('storage_invalid_range')
}

/** RFC 6266: a plain name for old clients and the true one, both encoded. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"${encoded === plain ? '' : `; filename*=UTF-8''${encoded}`}`
}
