/** Only members see these pictures, which are sanitised like uploads. REMOTE_IMAGES=off disables them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/app-context.ts'
import { Failure, throwFailure } from '#server/errors.ts'
import { sendCachedImage } from '#server/files/file-response.ts'
import { type CachedImage, createImageCache } from '#server/images/image-cache.ts'
import type { ImageDimensions } from '#server/images/image-processor.ts'
import { createSafeFetch, type RemoteGet } from '#server/net/safe-fetch.ts'
import { type RequestContext, registerRoute } from '#server/route.ts'
import { readIntegerParameter, readRequiredUrlParameter } from '../query-parameters.ts'
import { createQueryStringReader } from '../request-parameters.ts'
import { extractFaviconUrls, faviconPageMaxBytes, isIco } from './extract-favicon-urls.ts'
import { avatarCacheHeaders } from './routes.ts'

const maxSide = 2000
const usualSide = 400
const iconSide = 56
const maxBytes = 2e6
const cacheBytes = 32e6
const aDay = 24 * 3_600_000
/** Bytes that the original, the result and the decoder may use. */
const scratchBytes = 40e6

export function registerAppwriteRemoteImageRoutes(app: FastifyInstance, context: AppContext): void {
  const { config, limits, reach } = context
  const remote = createSafeFetch(config.publicUrl ? [new URL(config.publicUrl).hostname] : [], reach)
  const recent = createImageCache(cacheBytes, aDay)

  const remoteImage = {
    method: 'GET',
    who: 'member',
    admit() {
      if (!config.remoteImages) throwFailure('general_access_forbidden')
    },
    limit: ['read', 'remote-image'],
    cache: 'as it says',
  } as const
  const counted = async (
    { me, request, reply }: RequestContext,
    name: string,
    make: (member: number, get: RemoteGet) => Promise<CachedImage>,
  ) => {
    const picture = await recent(name, async () => {
      await limits.consume(request, reply, 'remote-image')
      return make(me.id, remote.begin())
    })
    return sendCachedImage(reply, picture, avatarCacheHeaders)
  }

  const image = {
    ...remoteImage,
    url: '/v1/avatars/image',
    input: createQueryStringReader((query) => query),
  } as const
  registerRoute(app, context, image, async (query, ctx) => {
    await limits.consume(ctx.request, ctx.reply, 'read')
    const url = readRequiredUrlParameter(query, 'url')
    const width = readIntegerParameter(query, 'width', 0, maxSide) || usualSide
    const height = readIntegerParameter(query, 'height', 0, maxSide) || usualSide
    return counted(ctx, `image ${width} ${height} ${url}`, async (member, get) => {
      const { type, body } = await get(url, { bytes: maxBytes })
      if (!type.startsWith('image/')) throwFailure('avatar_image_not_found')
      return (
        (await adopted(context, member, body, { width, height })) ?? throwFailure('avatar_image_not_found')
      )
    })
  })

  const favicon = {
    ...remoteImage,
    url: '/v1/avatars/favicon',
    input: createQueryStringReader((query) => query),
  } as const
  registerRoute(app, context, favicon, async (query, ctx) => {
    await limits.consume(ctx.request, ctx.reply, 'read')
    const url = readRequiredUrlParameter(query, 'url')
    return counted(ctx, `favicon ${url}`, async (member, get) => {
      const page = await get(url, { bytes: faviconPageMaxBytes, cut: true })
      const [linked] = extractFaviconUrls(page.body.toString('utf8'), page.url)
      for (const candidate of [linked, new URL('/favicon.ico', page.url)]) {
        const found = candidate && (await get(candidate, { bytes: maxBytes }).catch(unlessUnreachable))
        const icon = found && (await iconOf(context, member, found.body))
        if (icon) return icon
      }
      return throwFailure('avatar_icon_not_found')
    })
  })
}

async function iconOf(context: AppContext, member: number, bytes: Buffer): Promise<CachedImage | null> {
  if (isIco(bytes)) return { type: 'image/x-icon', bytes }
  return adopted(context, member, bytes, { width: iconSide, height: iconSide })
}

async function adopted(
  { images, blobs }: AppContext,
  member: number,
  bytes: Buffer,
  box: ImageDimensions,
): Promise<CachedImage | null> {
  await using scratch = await blobs.begin(scratchBytes)
  const [input, output] = [join(scratch.path, 'remote'), join(scratch.path, 'adopted.png')]
  await writeFile(input, bytes, { mode: 0o600 })
  try {
    await images.sanitizeAndCrop(member, input, output, box)
    return { type: 'image/png', bytes: await readFile(output) }
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 400) return null
    throw thrown
  }
}

function unlessUnreachable(thrown: unknown): null {
  if (thrown instanceof Failure && thrown.type === 'avatar_remote_url_failed') return null
  throw thrown
}
