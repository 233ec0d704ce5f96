/**
 * Answers a request with the bytes of a file: validators, caching, ranges. Everything here runs after the member's right to
 * read the file is established, 304 included.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import type { Kysely } from 'kysely'
import type { RequestCaller, SelectForCaller } from '../auth/session.ts'
import type { OpenedBlob } from '../blobs/blob-store.ts'
import type { Config } from '../config.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { throwFailure } from '../errors.ts'
import { parseByteRange } from '../http/byte-range.ts'
import { classifyOrigin } from '../http/cors.ts'
import { isValidPublicId } from '../ids.ts'
import { imageMimeTypes, type VariantFormat } from '../images/variant-widths.ts'
import type { CachedImage } from './image-cache.ts'
import {
  type FileContext,
  type FileRow,
  openImageVariant,
  openOriginalFile,
  resolveImageVariantName,
  type ServedFile,
  selectReadableFile,
} from './stored-files.ts'

/** What is served: its ETag, its type, and the bytes once they are needed. */
export type FileContent = {
  /** Without quotes; changes when the bytes do. */
  tag: string
  type: string
  /** Whether a client may request a range of it. */
  ranges: boolean
  /** Whether `Accept` decides its type. */
  negotiated: boolean
  disposition?: string
  open(): Promise<OpenedBlob & { instead?: Fallback }>
}

/** What is served in place of a variant that is still being made; no cache keeps it under that variant's tag. */
type Fallback = { tag: string; type: string }

/** Builds the content of the sanitized original. @throws Failure storage_file_not_found while the upload is unfinished */
export function createOriginalFileContent(
  context: FileContext,
  file: FileRow,
  kind: 'inline' | 'attachment' = 'inline',
): FileContent {
  if (file.state === 'uploading') throwFailure('storage_file_not_found')
  return {
    tag: file.signature as string,
    type: file.mime_type as string,
    ranges: true,
    negotiated: false,
    disposition: disposition(kind, file.name),
    open: () => openOriginalFile(context, file),
  }
}

/**
 * Builds the content of the image at the next larger of the fixed widths, or a fallback while it is being made.
 * @param me the member in whose turn it is made
 * @param callerLeft aborts when the client disconnected
 */
export function createImageVariantContent(
  context: FileContext,
  me: number,
  file: FileRow,
  variant: { width: number; format: VariantFormat },
  callerLeft: AbortSignal,
): FileContent {
  const wanted = resolveImageVariantName(file, variant)
  return {
    tag: `${file.signature}-${wanted}`,
    type: imageMimeTypes[variant.format],
    ranges: false,
    negotiated: true,
    async open() {
      const { opened, name } = await openImageVariant(context, me, file, variant, callerLeft)
      if (name === wanted) return opened
      const type = name === 'original' ? (file.mime_type as string) : imageMimeTypes.webp
      return { ...opened, instead: { tag: `${file.signature}-${name}`, type } }
    },
  }
}

/**
 * Chooses the format of an image that a client asks for without naming one: WebP if it accepts that, else PNG for an image
 * with transparent parts, which JPEG would paint white.
 */
export function negotiateImageFormat(
  accept: string | undefined,
  file: Pick<FileRow, 'thumbhash'>,
): VariantFormat {
  if (acceptsWebp(accept)) return 'webp'
  return isTransparent(file) ? 'png' : 'jpg'
}

/** Reads whether a client takes WebP; one that does not say so gets an older format. */
export const acceptsWebp = (accept: string | undefined): boolean => accept?.includes('image/webp') ?? false

/** Reads the flag that a ThumbHash has for alpha: the last bit of its first three bytes (evanw.github.io/thumbhash). */
const isTransparent = ({ thumbhash }: Pick<FileRow, 'thumbhash'>) => ((thumbhash?.[2] ?? 0) & 0x80) !== 0

/**
 * Refuses a page of another site that embeds a file: whether it loads would tell the page who is signed in here.
 * @throws Failure storage_file_not_found
 */
export function refuseForeignEmbedding(request: FastifyRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers
  if (site === 'cross-site' && mode === 'no-cors') throwFailure('storage_file_not_found')
}

/**
 * Lets a listed client of the same site, whose browser sends the session along, show pictures on its pages; no other page
 * may.
 */
function embeddableBy(request: FastifyRequest, config: Config): 'same-site' | 'same-origin' {
  const { referer } = request.headers
  const listed = referer !== undefined && classifyOrigin(referer, request, config) === 'listed'
  return listed ? 'same-site' : 'same-origin'
}

/**
 * Selects the file whose bytes a route serves, for the statement that finds the caller: a browser that asks about twenty pictures
 * again costs twenty statements and not forty.
 * @returns nothing for every other route
 */
export function selectRequestedFileWithCaller(
  { routeOptions, params }: FastifyRequest,
  db: Kysely<DatabaseTables>,
): SelectForCaller | undefined {
  const { fileId } = params as { fileId?: unknown }
  if (routeOptions.config.cache !== 'as it says' || !isValidPublicId(fileId)) return undefined
  return (me) => selectReadableFile(db, me, fileId)
}

/** Returns the file of `selectRequestedFileWithCaller`. @throws Failure storage_file_not_found, also for what the member may not read */
export const requireFileSelectedWithCaller = ({ row }: RequestCaller): ServedFile =>
  (row as ServedFile | null) ?? throwFailure('storage_file_not_found')

/** Sends a file's bytes, or 304. @throws Failure storage_invalid_range, and those of `content.open` */
export async function sendFileContent(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  file: FileRow,
  content: FileContent,
): Promise<FastifyReply> {
  const etag = `"${content.tag}"`
  reply.headers({
    etag,
    'cache-control': cachingOf(request, file),
    'cross-origin-resource-policy': embeddableBy(request, config),
    vary: `Origin, Referer, Cookie, X-Fallback-Cookies${content.negotiated ? ', Accept' : ''}`,
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (fresh(request.headers, { etag })) return reply.status(304).send()

  const opened = await content.open()
  const { tag, type } = opened.instead ?? content
  if (opened.instead) reply.headers({ etag: `"${tag}"`, 'cache-control': 'private, no-store' })
  const ranges =
    content.ranges && [undefined, etag].includes(request.headers['if-range'] as string | undefined)
  const range = ranges ? parseByteRange(request.headers.range, opened.size, reply) : null
  const length = range ? range.end - range.start + 1 : opened.size
  reply.type(type).header('content-length', length)
  if (content.disposition) reply.header('content-disposition', content.disposition)
  if (content.ranges) reply.header('accept-ranges', 'bytes')
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${opened.size}`)
  return request.method === 'HEAD' ? reply.send() : reply.send(opened.read(range ?? undefined))
}

/** Sends an image that belongs to nobody, such as initials: a function of the request alone. */
export const sendCachedImage = (
  reply: FastifyReply,
  { type, bytes }: CachedImage,
  headers: Record<string, string>,
): FastifyReply =>
  reply
    .headers({ 'content-type': type, 'content-security-policy': "default-src 'none'; sandbox", ...headers })
    .send(bytes)

/**
 * Makes browsers revalidate every picture of a member, because a block, a closed account or a membership that ended hides it at
 * once; only a group's own picture may be shown for an hour unasked. Browsers do not revalidate on Back an image that was
 * opened as a document, so that one they may not store.
 */
function cachingOf({ headers }: FastifyRequest, file: FileRow): string {
  if (isGroupPicture(file)) return 'private, max-age=3600'
  return headers['sec-fetch-dest'] === 'document' ? 'private, no-store' : 'private, no-cache'
}

const isGroupPicture = (file: FileRow) => file.state === 'attached' && file.purpose === 'group'

/** Writes a plain name for old clients and the true one, both encoded (RFC 6266). */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"${encoded === plain ? '' : `; filename*=UTF-8''${encoded}`}`
}
