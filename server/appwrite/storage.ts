/**
 * `/v1/storage/buckets/{bucket}/files` as existing clients speak it (platform reference §9). Order of checks: project,
 * origin, role (401), bucket (404), parameters (400), the call itself.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { uploadChunkBytes } from '#contract/limits.ts'
import type { Config } from '../config.ts'
import { Failure, fail } from '../errors.ts'
import {
  composePicture,
  deleteFile,
  type FileParts,
  type FileRow,
  findFile,
  openOriginal,
  openVariant,
  renameFile,
  variantFor,
} from '../files.ts'
import { lookingPatience, notMadeYet } from '../images.ts'
import type { Limits } from '../limits.ts'
import { parse } from '../operations.ts'
import { within } from '../patience.ts'
import { createPlaces } from '../places.ts'
import { createRecentPictures, type RecentPictures } from '../recent-pictures.ts'
import { forMembers } from '../route-classes.ts'
import { memberOf } from '../session.ts'
import { receivePiece } from '../uploads.ts'
import { toInstant } from '../views.ts'
import { type Content, disposition, refuseForeignEmbedding, sendContent } from './file-content.ts'
import { listFiles, readFilesAsked } from './file-listing.ts'
import { searches } from './listing.ts'
import type { Query } from './parameters.ts'
import { checkPermissions } from './permissions.ts'
import { mimeOf, readPreview } from './preview.ts'
import { bucketId } from './project.ts'
import { callerOf } from './query-conditions.ts'
import { multipartLimits, withPiece } from './upload-request.ts'

type StorageParts = FileParts & { config: Config; limits: Limits }
type InBucket = { Params: { bucketId: string } }
type OfFile = { Params: { bucketId: string; fileId: string } }

const base = '/v1/storage/buckets/:bucketId/files'
const reads = { config: forMembers }
const lists = { config: { ...forMembers, limit: ['read' as const, 'search' as const] } }
const writes = { config: { ...forMembers, limit: ['write' as const] } }
const uploads = { config: { ...forMembers, limit: ['upload' as const, 'upload-kilobytes' as const] } }
/** The newest client sends eight pieces of a picture at once; she may do so from two devices. */
const openRequests = 16
/** Bytes of previews kept in memory; each is handed out only after the right to its file is established. */
const room = 32e6
const change = z.object({
  name: z.optional(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(255)))),
  permissions: z.optional(z.unknown()),
})

export function storageRoutes(app: FastifyInstance, parts: StorageParts): void {
  const { limits } = parts
  const recent = createRecentPictures(room)
  const buckets = new Set([bucketId, ...parts.config.aliases.bucket])
  const inBucket = (request: FastifyRequest) => {
    const me = memberOf(request)
    if (!buckets.has((request.params as InBucket['Params']).bucketId)) fail('storage_bucket_not_found')
    return me
  }

  // In a scope of its own: multipart bodies are accepted nowhere else.
  app.register(async (scope) => {
    await scope.register(multipart, {
      limits: multipartLimits,
      throwFileSizeLimit: false,
    })
    const place = createPlaces({ perMember: openRequests, full: tooManyOpen })
    scope.post<InBucket>(base, uploads, async (request, reply) => {
      const me = inBucket(request)
      using _place = place(me.id)
      await limits.count(request, reply, 'upload')
      const bytes = Number(request.headers['content-length'] ?? uploadChunkBytes)
      await limits.count(request, reply, 'upload-kilobytes', { cost: Math.ceil(bytes / 1000) })
      const file = await withPiece(request, parts.blobs, (piece) => receivePiece(parts, me.id, piece)).catch(
        asRefusal,
      )
      return reply.status(201).send(fileModel(file, request.params.bucketId))
    })
  })

  app.get<InBucket>(base, lists, async (request, reply) => {
    const me = inBucket(request)
    const asked = readFilesAsked(request.query as Query)
    await limits.count(request, reply, asked.search || searches(asked) ? 'search' : 'read')
    const { total, files } = await listFiles(parts, me, asked, callerOf(request, me))
    const models = files.map((file) => fileModel(file, request.params.bucketId))
    return reply.send({ total, files: models })
  })

  app.get<OfFile>(`${base}/:fileId`, reads, async (request, reply) => {
    const me = inBucket(request)
    await limits.count(request, reply, 'read')
    const file = await findFile(parts, me.id, request.params.fileId)
    return reply.send(fileModel(file, request.params.bucketId))
  })

  app.put<OfFile>(`${base}/:fileId`, writes, async (request, reply) => {
    const me = inBucket(request)
    await limits.count(request, reply, 'write')
    const { name, permissions } = parse(change, request.body ?? {})
    checkPermissions(permissions)
    const file = await renameFile(parts, me.id, request.params.fileId, name).catch(asRefusal)
    return reply.send(fileModel(file, request.params.bucketId))
  })

  app.delete<OfFile>(`${base}/:fileId`, writes, async (request, reply) => {
    const me = inBucket(request)
    await limits.count(request, reply, 'write')
    await deleteFile(parts, me.id, request.params.fileId)
    return reply.status(204).send()
  })

  for (const kind of ['view', 'download', 'preview'] as const) {
    app.route<OfFile>({
      method: ['GET', 'HEAD'],
      url: `${base}/:fileId/${kind}`,
      // As private as what the picture belongs to (reading W-06).
      config: { ...forMembers, limit: ['picture'], cache: 'as it says' },
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const me = inBucket(request)
        refuseForeignEmbedding(request)
        await limits.count(request, reply, 'picture')
        const file = await findFile(parts, me.id, request.params.fileId)
        const content =
          kind === 'preview' ? preview(parts, recent, me.id, file, request) : original(parts, file, kind)
        return sendContent(request, reply, parts.config, file, content)
      },
    })
  }
}

const tooManyOpen = (): never =>
  fail('general_rate_limit_exceeded', {
    message: 'Too many uploads are on their way at once. Wait until one of them has arrived.',
    retryAfter: 10,
  })

function original(parts: StorageParts, file: FileRow, kind: 'view' | 'download'): Content {
  if (file.state === 'uploading') fail('storage_file_not_found')
  return {
    tag: file.signature as string,
    type: file.mime_type as string,
    ranges: true,
    negotiated: false,
    disposition: disposition(kind === 'view' ? 'inline' : 'attachment', file.name),
    open: () => openOriginal(parts, file),
  }
}

function preview(
  parts: StorageParts,
  recent: RecentPictures,
  me: number,
  file: FileRow,
  request: FastifyRequest,
): Content {
  const wanted = readPreview(request.query as Query, request.headers.accept, file)
  if (wanted.kind === 'variant') {
    const { variant } = wanted
    return {
      tag: `${file.signature}-${variantFor(file, variant)}`,
      type: mimeOf[variant.format],
      ranges: false,
      negotiated: true,
      async open() {
        const { opened, name } = await openVariant(parts, me, file, variant, request.signal)
        if (name === variantFor(file, variant)) return opened
        const type = name === 'original' ? (file.mime_type as string) : mimeOf.webp
        return { ...opened, instead: { tag: `${file.signature}-${name}`, type } }
      },
    }
  }
  const { composition } = wanted
  const name = createHash('sha256').update(JSON.stringify(composition)).digest('base64url')
  const type = mimeOf[composition.format]
  return {
    tag: `${file.signature}-${name}`,
    type,
    ranges: false,
    negotiated: true,
    async open() {
      const made = (left: AbortSignal) =>
        recent(
          `${file.storage_key} ${name}`,
          async (unwanted) => ({ type, bytes: await composePicture(parts, me, file, composition, unwanted) }),
          left,
        )
      const { bytes } = await within(lookingPatience, made, notMadeYet, request.signal)
      return { size: bytes.length, read: () => Readable.from([bytes]) }
    },
  }
}

/** What only this door refuses so: no room on the disk, and a 401 for what she sees but may not change (reading D-07). */
function asRefusal(thrown: unknown): never {
  if ((thrown as NodeJS.ErrnoException).code === 'ENOSPC') fail('storage_device_full', { cause: thrown })
  if (thrown instanceof Failure && thrown.type === 'user_unauthorized') {
    throw Object.assign(new Failure('user_unauthorized', { cause: thrown }), { status: 401 })
  }
  throw thrown
}

/** The dialect's File. An unfinished one has neither signature nor type. */
const fileModel = (file: FileRow & { pieces_kept: number }, bucket: string) => ({
  $id: file.public_id,
  bucketId: bucket,
  $createdAt: toInstant(file.created_at),
  $updatedAt: toInstant(file.updated_at),
  $permissions: [],
  name: file.name,
  signature: file.signature ?? '',
  mimeType: file.mime_type ?? '',
  sizeOriginal: file.size ?? file.announced_size,
  chunksTotal: file.chunks_total,
  chunksUploaded: file.pieces_kept,
})
