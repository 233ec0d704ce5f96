/** Order of checks: project, origin, role (401), bucket (404), parameters (400). */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { maxTextLength, minTextLength } from '#contract/text-length.ts'
import type { AppContext } from '#server/app-context.ts'
import { withDeadline } from '#server/concurrency/deadline.ts'
import { Failure, throwFailure } from '#server/errors.ts'
import { receiveUpload } from '#server/features/files/file-routes.ts'
import {
  createImageVariantContent,
  createOriginalFileContent,
  type FileContent,
  refuseForeignEmbedding,
  requireFileSelectedWithCaller,
  sendFileContent,
} from '#server/files/file-response.ts'
import { addMultipartRoutes } from '#server/files/multipart-upload.ts'
import {
  deleteFile,
  type FileRow,
  findFile,
  renameFile,
  renderFileImage,
} from '#server/files/stored-files.ts'
import { createImageCache, type ImageCache } from '#server/images/image-cache.ts'
import { imageRenderTimeoutMs, throwRenderTimeoutFailure } from '#server/images/image-processor.ts'
import { imageMimeTypes } from '#server/images/variant-widths.ts'
import { type InputReader, parseRequestInput, registerRoute } from '#server/route.ts'
import { toAppwriteFile, uploaderPermissions } from '../build-response-models.ts'
import { validatePermissionStrings } from '../permission-strings.ts'
import { appwriteBucketId } from '../project-guard.ts'
import { toDocumentQueryCaller } from '../queries/queryable-attributes.ts'
import type { QueryStringParameters } from '../query-parameters.ts'
import { listOwnFiles, readFileListQuery } from './file-list.ts'
import { parseImagePreviewRequest } from './preview-params.ts'
import { appwriteUploadFormReader } from './upload-form-reader.ts'

const base = '/v1/storage/buckets/:bucketId/files'
/** Cached pictures are served only after authorisation. */
const cacheBytes = 32e6
const change = z.object({
  name: z.optional(z.nullable(z.string().check(z.trim(), minTextLength(1), maxTextLength(255)))),
  permissions: z.optional(z.unknown()),
})

type Named = { bucketId: string; fileId: string }
const namedBy = ({ params }: FastifyRequest) => params as Named

const ofFile = <More extends object>(
  read?: (request: FastifyRequest) => More,
): InputReader<Named & More> => ({
  from: 'parameters',
  read: (request) => ({ ...namedBy(request), ...(read?.(request) as More) }),
})

export function registerAppwriteStorageRoutes(app: FastifyInstance, context: AppContext): void {
  const { limits } = context
  const previews = createImageCache(cacheBytes)
  const buckets = new Set([appwriteBucketId, ...context.config.aliases.bucket])
  /** Answers 404 for an unknown bucket before the rate limit counts the call. */
  const knownBucket = (request: FastifyRequest) => {
    if (!buckets.has(namedBy(request).bucketId)) throwFailure('storage_bucket_not_found')
  }
  const inBucket = { url: base, who: 'member', admit: knownBucket } as const
  const ofOne = { ...inBucket, url: `${base}/:fileId` } as const

  const upload = {
    ...inBucket,
    method: 'POST',
    limit: ['upload', 'upload-kilobytes'],
    status: 201,
    input: ofFile(),
  } as const
  addMultipartRoutes(app, (scope) => {
    registerRoute(scope, context, upload, async ({ bucketId }, ctx) =>
      toAppwriteFile(
        { ...(await receiveUpload(ctx, appwriteUploadFormReader)), ...uploaderPermissions },
        bucketId,
        ctx.caller.account.publicId,
      ),
    )
  })

  const list = {
    ...inBucket,
    method: 'GET',
    limit: ['read', 'search'],
    status: 200,
    input: ofFile((request) => ({ asked: readFileListQuery(request.query as QueryStringParameters) })),
  } as const
  registerRoute(app, context, list, async ({ bucketId, asked }, { me, caller, request, reply }) => {
    await limits.consume(request, reply, asked.isSearch ? 'search' : 'read')
    const { total, files } = await listOwnFiles(context, me, asked, toDocumentQueryCaller(request, me))
    return { total, files: files.map((file) => toAppwriteFile(file, bucketId, caller.account.publicId)) }
  })

  const find = { ...ofOne, method: 'GET', limit: 'read', status: 200, input: ofFile() } as const
  registerRoute(app, context, find, async ({ bucketId, fileId }, { me, caller }) =>
    toAppwriteFile(await findFile(context, me.id, fileId), bucketId, caller.account.publicId),
  )

  const update = {
    ...ofOne,
    method: 'PUT',
    limit: 'write',
    status: 200,
    input: ofFile((request) => {
      const { name, permissions } = parseRequestInput(change, request.body ?? {})
      validatePermissionStrings(permissions)
      return { name }
    }),
  } as const
  registerRoute(app, context, update, async ({ bucketId, fileId, name }, { me, caller }) =>
    toAppwriteFile(
      await renameFile(context, me.id, fileId, name).catch(asRefusal),
      bucketId,
      caller.account.publicId,
    ),
  )

  const remove = { ...ofOne, method: 'DELETE', limit: 'write', status: 204, input: ofFile() } as const
  registerRoute(app, context, remove, ({ fileId }, { me }) => deleteFile(context, me.id, fileId))

  for (const kind of ['view', 'download', 'preview'] as const) {
    const bytes = {
      method: ['GET', 'HEAD'],
      url: `${base}/:fileId/${kind}`,
      who: 'member',
      admit(request: FastifyRequest) {
        knownBucket(request)
        refuseForeignEmbedding(request)
      },
      limit: 'image',
      // The response is as private as the picture's record.
      cache: 'as it says',
      input: ofFile(),
    } as const
    registerRoute(app, context, bytes, async (_input, { me, caller, request, reply }) => {
      const file = requireFileSelectedWithCaller(caller)
      const content =
        kind === 'preview'
          ? preview(context, previews, me.id, file, request)
          : createOriginalFileContent(context, file, kind === 'view' ? 'inline' : 'attachment')
      return sendFileContent(request, reply, context.config, file, content)
    })
  }
}

function preview(
  context: AppContext,
  previews: ImageCache,
  me: number,
  file: FileRow,
  request: FastifyRequest,
): FileContent {
  const wanted = parseImagePreviewRequest(
    request.query as QueryStringParameters,
    request.headers.accept,
    file,
  )
  if (wanted.kind === 'variant')
    return createImageVariantContent(context, me, file, wanted.variant, request.signal)
  const { composition } = wanted
  const name = createHash('sha256').update(JSON.stringify(composition)).digest('base64url')
  const type = imageMimeTypes[composition.format]
  return {
    tag: `${file.signature}-${name}`,
    type,
    ranges: false,
    negotiated: true,
    async open() {
      const made = (left: AbortSignal) =>
        previews(
          `${file.storage_key} ${name}`,
          async (unwanted) => ({
            type,
            bytes: await renderFileImage(context, me, file, composition, unwanted),
          }),
          left,
        )
      const { bytes } = await withDeadline(
        imageRenderTimeoutMs,
        made,
        throwRenderTimeoutFailure,
        request.signal,
      )
      return { size: bytes.length, read: () => Readable.from([bytes]) }
    },
  }
}

/** Answers 401 for a file that the caller can only read, as Appwrite does. */
function asRefusal(thrown: unknown): never {
  if (thrown instanceof Failure && thrown.type === 'user_unauthorized') {
    throw Object.assign(new Failure('user_unauthorized', { cause: thrown }), { status: 401 })
  }
  throw thrown
}
