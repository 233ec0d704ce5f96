/** The server authorises every request before it answers, even with 304. */

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
import type { CachedImage } from '../images/image-cache.ts'
import { imageMimeTypes, type VariantFormat } from '../images/variant-widths.ts'
import {
  type FileContext,
  type FileRow,
  openImageVariant,
  openOriginalFile,
  resolveImageVariantName,
  type ServedFile,
  selectReadableFile,
} from './stored-files.ts'

export type FileContent = {
  /** The ETag without quotes. It changes with the bytes. */
  tag: string
  type: string
  ranges: boolean
  negotiated: boolean
  disposition?: string
  open(): Promise<OpenedBlob & { instead?: Fallback }>
}

/** Sent while a variant is being rendered. Not cached under the variant's tag. */
type Fallback = { tag: string; type: string }

/** @throws Failure storage_file_not_found while the upload is unfinished */
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
 * Serves the next larger fixed width, or a substitute while it is rendered.
 * @param me the member in whose queue the job waits
 * @param callerLeft aborts when the client disconnects
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

/** Without WebP, chooses PNG for transparent pictures, because JPEG would make them white. */
export function negotiateImageFormat(
  accept: string | undefined,
  file: Pick<FileRow, 'thumbhash'>,
): VariantFormat {
  if (acceptsWebp(accept)) return 'webp'
  return isTransparent(file) ? 'png' : 'jpg'
}

export const acceptsWebp = (accept: string | undefined): boolean => accept?.includes('image/webp') ?? false

/** The transparency is a bit of the ThumbHash (evanw.github.io/thumbhash). */
const isTransparent = ({ thumbhash }: Pick<FileRow, 'thumbhash'>) => ((thumbhash?.[2] ?? 0) & 0x80) !== 0

/**
 * Refuses to show a picture on another site, because that site would learn who is signed in.
 * @throws Failure storage_file_not_found
 */
export function refuseForeignEmbedding(request: FastifyRequest): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers
  if (site === 'cross-site' && mode === 'no-cors') throwFailure('storage_file_not_found')
}

/** An allowed client on the same site may embed the picture, because its browser sends the session. */
function embeddableBy(request: FastifyRequest, config: Config): 'same-site' | 'same-origin' {
  const { referer } = request.headers
  const listed = referer !== undefined && classifyOrigin(referer, request, config) === 'listed'
  return listed ? 'same-site' : 'same-origin'
}

/**
 * Selects the file in the statement that finds the caller, which halves the statements for a page of
 * pictures.
 */
export function selectRequestedFileWithCaller(
  { routeOptions, params }: FastifyRequest,
  db: Kysely<DatabaseTables>,
): SelectForCaller | undefined {
  const { fileId } = params as { fileId?: unknown }
  if (routeOptions.config.cache !== 'as it says' || !isValidPublicId(fileId)) return undefined
  return (me) => selectReadableFile(db, me, fileId)
}

export const requireFileSelectedWithCaller = ({ row }: RequestCaller): ServedFile =>
  (row as ServedFile | null) ?? throwFailure('storage_file_not_found')

/** @throws Failure storage_invalid_range, and errors of `content.open` */
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

/** Sends pictures that depend only on the request, such as initials. */
export const sendCachedImage = (
  reply: FastifyReply,
  { type, bytes }: CachedImage,
  headers: Record<string, string>,
): FastifyReply =>
  reply
    .headers({ 'content-type': type, 'content-security-policy': "default-src 'none'; sandbox", ...headers })
    .send(bytes)

/**
 * A block, a closed account or an ended membership hides pictures at once, so browsers must revalidate. The
 * Back button does not revalidate a picture opened as a document.
 */
function cachingOf({ headers }: FastifyRequest, file: FileRow): string {
  if (isGroupPicture(file)) return 'private, max-age=3600'
  return headers['sec-fetch-dest'] === 'document' ? 'private, no-store' : 'private, no-cache'
}

const isGroupPicture = (file: FileRow) => file.state === 'attached' && file.purpose === 'group'

/** Writes the name twice: plain for old clients, and encoded (RFC 6266). */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"${encoded === plain ? '' : `; filename*=UTF-8''${encoded}`}`
}
