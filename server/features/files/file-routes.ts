import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/files/files.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import {
  maxOfflinePictureWidth,
  offlineCacheHeader,
  offlineCacheNone,
  offlineCachePublic,
} from '#contract/posts/offline-cache-header.ts'
import type { AppContext } from '../../app-context.ts'
import { throwFailure } from '../../errors.ts'
import {
  createImageVariantContent,
  createOriginalFileContent,
  negotiateImageFormat,
  refuseForeignEmbedding,
  requireFileSelectedWithCaller,
  sendFileContent,
} from '../../files/file-response.ts'
import {
  addMultipartRoutes,
  type UploadRequestReader,
  withUploadChunk,
} from '../../files/multipart-upload.ts'
import { receiveUploadChunk } from '../../files/receive-upload-chunk.ts'
import { deleteFile, type FileRow, findFile } from '../../files/stored-files.ts'
import { generateId } from '../../ids.ts'
import { type RequestContext, registerRoute } from '../../route.ts'

type Progress = FileRow & { chunks_uploaded: number }

export function registerFileRoutes(app: FastifyInstance, context: AppContext): void {
  addMultipartRoutes(app, (scope) => {
    registerRoute(scope, context, contract.uploadFileOperation, async (_input, ctx) =>
      toFile(ctx.me.id, await receiveUpload(ctx, formOf())),
    )
    registerRoute(scope, context, contract.uploadChunkOperation, async ({ fileId }, ctx) =>
      toFile(ctx.me.id, await receiveUpload(ctx, formOf(fileId))),
    )
  })

  registerRoute(app, context, contract.getFileOperation, async ({ fileId }, { me }) =>
    toFile(me.id, await findFile(context, me.id, fileId)),
  )

  registerRoute(
    app,
    context,
    contract.getFileContentOperation,
    async ({ width }, { me, caller, request, reply }) => {
      refuseForeignEmbedding(request)
      const file = requireFileSelectedWithCaller(caller)
      const format = negotiateImageFormat(request.headers.accept, file)
      const content =
        width === undefined
          ? createOriginalFileContent(context, file)
          : createImageVariantContent(context, me.id, file, { width, format }, request.signal)
      if (width !== undefined && width <= maxOfflinePictureWidth)
        reply.header(offlineCacheHeader, file.is_public ? offlineCachePublic : offlineCacheNone)
      await sendFileContent(request, reply, context.config, file, content)
    },
  )

  registerRoute(app, context, contract.deleteFileOperation, ({ fileId }, { me }) =>
    deleteFile(context, me.id, fileId),
  )
}

/** @param form how the request identifies its upload */
export async function receiveUpload(ctx: RequestContext, form: UploadRequestReader): Promise<Progress> {
  const { me, request, reply, limits, uploadSlots, blobs } = ctx
  using _slot = uploadSlots(me.id)
  await limits.consume(request, reply, 'upload')
  const bytes = Number(request.headers['content-length'] ?? uploadChunkBytes)
  await limits.consume(request, reply, 'upload-kilobytes', { cost: Math.ceil(bytes / 1000) })
  try {
    // `await` keeps the upload slot occupied until the chunk is stored.
    return await withUploadChunk(request, blobs, form, (chunk) => receiveUploadChunk(ctx, me.id, chunk))
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOSPC')
      throwFailure('storage_device_full', { cause: thrown })
    throw thrown
  }
}

/** The server chooses the id of a new upload. */
const formOf = (fileId?: string): UploadRequestReader => ({
  continuedId: () => fileId,
  checkFields() {},
  newId: () => generateId(),
})

/** Only the owner sees which metadata was removed. */
const toFile = (
  me: number,
  { public_id, chunks_total, chunks_uploaded, owner_id, state, removed }: Progress,
): contract.UploadedFile => ({
  $id: public_id,
  chunksTotal: chunks_total,
  chunksUploaded: chunks_uploaded,
  ...(owner_id === me && state !== 'uploading' && { removed }),
})
