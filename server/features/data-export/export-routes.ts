import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/data-export/account-export.ts'
import type { AppContext } from '../../app-context.ts'
import { createInFlightQuota } from '../../concurrency/in-flight-quota.ts'
import { throwFailure } from '../../errors.ts'
import { parseByteRange } from '../../http/byte-range.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { assertRecentStrongestReauthentication } from '../account/reauthentication.ts'
import {
  createExportDownloadUrl,
  discardExport,
  findReadyExport,
  readExport,
  requestExport,
} from './export-lifecycle.ts'
import { listEarlierExports } from './list-earlier-exports.ts'
import { assertRangeNotDeleted, streamExportArchive } from './stream-archive.ts'

const streamsPerMember = 2

export function registerAccountExportRoutes(app: FastifyInstance, context: AppContext): void {
  const streams = createInFlightQuota({
    perMember: streamsPerMember,
    full: () =>
      throwFailure('general_rate_limit_exceeded', {
        message: 'Two downloads of your data are already in progress.',
        retryAfter: 5,
      }),
  })

  registerRoute(app, context, contract.getExportOperation, (_input, ctx) => readExports(ctx))

  registerRoute(app, context, contract.requestExportOperation, async (_input, ctx) => {
    await requestExport(ctx)
    const asked = await readExports(ctx)
    ctx.exporting.wake()
    return asked
  })

  registerRoute(app, context, contract.discardExportOperation, (_input, ctx) => discardExport(ctx))

  registerRoute(app, context, contract.createExportDownloadLinkOperation, async (_input, ctx) => {
    await assertRecentStrongestReauthentication(ctx)
    return { path: await createExportDownloadUrl(ctx) }
  })

  registerRoute(app, context, contract.downloadExportOperation, async ({ exportId, key }, ctx) => {
    const { me, caller, request, reply, database } = ctx
    const found = await findReadyExport(ctx, exportId, key)
    const etag = `"${exportId}"`
    reply.headers({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="juntas-${new Date().toISOString().slice(0, 10)}.zip"`,
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const isSame = [undefined, etag].includes(request.headers['if-range'] as string | undefined)
    const part = isSame ? parseByteRange(request.headers.range, found.bytes, reply) : null
    const range = part ?? { start: 0, end: found.bytes - 1 }
    await assertRangeNotDeleted(database.kysely, found, range)
    reply.type('application/zip').header('content-length', range.end - range.start + 1)
    if (part) reply.status(206).header('content-range', `bytes ${part.start}-${part.end}/${found.bytes}`)
    if (request.method === 'HEAD') return reply.send()
    const slot = streams(me.id)
    finished(reply.raw, () => slot[Symbol.dispose]())
    return reply.send(streamExportArchive(ctx, found, range, caller.session.id))
  })
}

async function readExports(ctx: RequestContext): Promise<contract.AccountExports> {
  const [copy, earlier] = await Promise.all([readExport(ctx), listEarlierExports(ctx)])
  return { export: copy, earlier }
}
