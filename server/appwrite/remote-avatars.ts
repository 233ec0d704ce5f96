/**
 * `/v1/avatars/image` and `/v1/avatars/favicon` (platform reference §10): pictures from elsewhere, for members alone
 * (reading D-13) and off with REMOTE_IMAGES=off. What comes is looked through as an upload is.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Blobs } from '../blobs.ts'
import type { Config } from '../config.ts'
import { Failure, fail } from '../errors.ts'
import type { Box, Images } from '../images.ts'
import type { Limits } from '../limits.ts'
import { createRecentPictures, type MadePicture } from '../recent-pictures.ts'
import type { Reach } from '../remote-address.ts'
import { createRemote, type Get } from '../remote-fetch.ts'
import type { RouteClasses } from '../route-classes.ts'
import { memberOf } from '../session.ts'
import { forMembers, sendPicture } from './avatars.ts'
import { iconLinks, isIco, pageBytes } from './favicon.ts'
import { integerOf, type Query, webAddressOf } from './parameters.ts'

type RemoteParts = { config: Config; limits: Limits; images: Images; blobs: Blobs }

const maxSide = 2000
const usualSide = 400
const iconSide = 56
const maxBytes = 2e6
const room = 32e6
const aDay = 24 * 3_600_000
/** Original, result and what the decoder needs between them. */
const scratchBytes = 40e6

const ofMembers: RouteClasses = {
  who: 'member',
  input: 'parameters',
  limit: ['read', 'remote-picture'],
  cache: 'as it says',
  log: 'each',
}

export function remoteAvatarRoutes(app: FastifyInstance, parts: RemoteParts, reach?: Reach): void {
  const { config, limits } = parts
  const remote = createRemote(config.publicUrl ? [new URL(config.publicUrl).hostname] : [], reach)
  const recent = createRecentPictures(room, aDay)

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    make: (member: number, get: Get) => Promise<MadePicture>,
  ) => {
    const me = memberOf(request)
    const picture = await recent(name, async () => {
      await limits.count(request, reply, 'remote-picture')
      return make(me.id, remote.begin())
    })
    return sendPicture(reply, picture, forMembers)
  }

  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    memberOf(request)
    if (!config.remoteImages) fail('general_access_forbidden')
    await limits.count(request, reply, 'read')
    return request.query as Query
  }

  app.get('/v1/avatars/image', { config: ofMembers }, async (request, reply) => {
    const query = await admit(request, reply)
    const url = webAddressOf(query, 'url')
    const width = integerOf(query, 'width', 0, maxSide) || usualSide
    const height = integerOf(query, 'height', 0, maxSide) || usualSide
    return answer(request, reply, `image ${width} ${height} ${url}`, async (member, get) => {
      const { type, body } = await get(url, { bytes: maxBytes })
      if (!type.startsWith('image/')) fail('avatar_image_not_found')
      return (await adopted(parts, member, body, { width, height })) ?? fail('avatar_image_not_found')
    })
  })

  app.get('/v1/avatars/favicon', { config: ofMembers }, async (request, reply) => {
    const query = await admit(request, reply)
    const url = webAddressOf(query, 'url')
    return answer(request, reply, `favicon ${url}`, async (member, get) => {
      const page = await get(url, { bytes: pageBytes, cut: true })
      const [linked] = iconLinks(page.body.toString('utf8'), page.url)
      for (const candidate of [linked, new URL('/favicon.ico', page.url)]) {
        const found = candidate && (await get(candidate, { bytes: maxBytes }).catch(unlessUnreachable))
        const icon = found && (await iconOf(parts, member, found.body))
        if (icon) return icon
      }
      return fail('avatar_icon_not_found')
    })
  })
}

/** Null when it is no picture. An .ico stays as it is. */
async function iconOf(parts: RemoteParts, member: number, bytes: Buffer): Promise<MadePicture | null> {
  if (isIco(bytes)) return { type: 'image/x-icon', bytes }
  return adopted(parts, member, bytes, { width: iconSide, height: iconSide })
}

/** Filling the box, as a PNG; null when it is no picture that we take. */
async function adopted(
  { images, blobs }: RemoteParts,
  member: number,
  bytes: Buffer,
  box: Box,
): Promise<MadePicture | null> {
  await using scratch = await blobs.begin(scratchBytes)
  const [input, output] = [join(scratch.path, 'remote'), join(scratch.path, 'adopted.png')]
  await writeFile(input, bytes, { mode: 0o600 })
  try {
    await images.adopt(member, input, output, box)
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
