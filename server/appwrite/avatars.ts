/**
 * `/v1/avatars` as existing clients speak it (platform reference §10): initials for everybody; icons and QR codes for
 * members (security reference FI12, reading D-09). All are functions of their parameters alone.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Blobs } from '../blobs.ts'
import { browsers, cards, flags } from '../drawing/icon-codes.ts'
import type { Icon } from '../drawing/icons.ts'
import { colourFor, drawInitials, initialsOf } from '../drawing/initials.ts'
import { drawQr } from '../drawing/qr.ts'
import { type Images, lookingPatience, notMadeYet } from '../images.ts'
import type { Limits } from '../limits.ts'
import { within } from '../patience.ts'
import { createRecentPictures, type MadePicture } from '../recent-pictures.ts'
import type { RouteClasses } from '../route-classes.ts'
import { accountOf, memberOf } from '../session.ts'
import { createTurns } from '../turns.ts'
import {
  booleanOf,
  colourOf,
  integerOf,
  type Query,
  requiredOneOf,
  requiredTextUpTo,
  textUpTo,
} from './parameters.ts'

type AvatarParts = { limits: Limits; images: Images; blobs: Blobs }

type OfIcon = { Params: { code: string } }

const ofMembers: RouteClasses = {
  who: 'member',
  input: 'parameters',
  limit: ['read'],
  cache: 'as it says',
  log: 'each',
}
const ofAnybody: RouteClasses = { ...ofMembers, who: 'visitor' }

const maxSide = 2000
const usualSide = { initials: 500, icon: 100, qr: 400 }
const longest = { name: 128, text: 512 }
const qrSide = { min: 1, max: 1000 }
const qrMargin = { min: 0, max: 10, usual: 1 }
/** Bytes of pictures kept in memory, of a few kilobytes each as a rule. */
const room = 16e6
/** Pictures that wait to be drawn: of the largest, two seconds' worth. */
const mostWaiting = 100
/** What an icon takes on the disk while it is drawn, at most. */
const iconBytes = 16e6

const icons: Record<Icon['set'], readonly string[]> = {
  browsers: [...browsers.keys()],
  'credit-cards': [...cards.keys()],
  flags: [...flags],
}

export function avatarRoutes(app: FastifyInstance, parts: AvatarParts): void {
  const { limits } = parts
  const recent = createRecentPictures(room)
  /** Drawn here, where everybody's requests are answered: one after the other, with room for others in between. */
  const drawing = createTurns({ atOnce: 1, waiting: mostWaiting, full: notMadeYet })
  const drawn = (draw: () => Promise<Buffer>) => asPng(drawing(() => nextTurn().then(draw)))

  app.get('/v1/avatars/initials', { config: ofAnybody }, async (request, reply) => {
    await limits.count(request, reply, 'read')
    const query = request.query as Query
    const given = textUpTo(query, 'name', longest.name)
    const width = integerOf(query, 'width', 0, maxSide) || usualSide.initials
    const height = integerOf(query, 'height', 0, maxSide) || usualSide.initials
    const asked = colourOf(query, 'background')
    // Our own: no existing client asks for it.
    const bold = booleanOf(query, 'bold') ?? false

    const caller = request.caller
    const name = given ?? caller?.member?.name ?? (caller?.account.name || caller?.account.email) ?? ''
    const initials = initialsOf(name)
    const background = asked ?? colourFor(initials)
    const picture = await recent(`initials ${initials} ${width} ${height} ${background} ${bold}`, () =>
      drawn(() => drawInitials(initials, { width, height, background, bold })),
    )

    // Without a name in the address the picture is the caller's own.
    const shared = given !== undefined
    return sendPicture(reply, picture, {
      'cache-control': shared ? 'public, max-age=2592000' : 'private, no-store',
      'cross-origin-resource-policy': shared ? 'cross-origin' : 'same-origin',
    })
  })

  for (const set of Object.keys(icons) as Icon['set'][]) {
    app.get<OfIcon>(`/v1/avatars/${set}/:code`, { config: ofMembers }, async (request, reply) => {
      memberOf(request)
      const account = accountOf(request)
      await limits.count(request, reply, 'read')
      const code = requiredOneOf(request.params, 'code', icons[set])
      const query = request.query as Query
      const box = {
        width: integerOf(query, 'width', 0, maxSide) || usualSide.icon,
        height: integerOf(query, 'height', 0, maxSide) || usualSide.icon,
      }
      // A PNG loses nothing, whatever quality is asked for.
      integerOf(query, 'quality', -1, 100)
      const name = `${set} ${code} ${box.width} ${box.height}`
      const made = () => recent(name, () => asPng(drawIcon(parts, account.id, { set, code }, box)))
      const picture = await within(lookingPatience, made, notMadeYet)
      return sendPicture(reply, picture, forMembers)
    })
  }

  app.get('/v1/avatars/qr', { config: ofMembers }, async (request, reply) => {
    memberOf(request)
    await limits.count(request, reply, 'read')
    const query = request.query as Query
    const text = requiredTextUpTo(query, 'text', longest.text)
    const size = integerOf(query, 'size', qrSide.min, qrSide.max) ?? usualSide.qr
    const margin = integerOf(query, 'margin', qrMargin.min, qrMargin.max) ?? qrMargin.usual
    if (booleanOf(query, 'download')) reply.header('content-disposition', 'attachment; filename="qr.png"')
    const picture = await recent(`qr ${size} ${margin} ${text}`, () =>
      drawn(() => drawQr(text, { size, margin })),
    )
    return sendPicture(reply, picture, forMembers)
  })
}

/**
 * Thirty days (platform reference §10), in her own browser alone: a page elsewhere must not learn from a picture that
 * loads who is signed in here.
 */
export const forMembers = {
  'cache-control': 'private, max-age=2592000',
  'cross-origin-resource-policy': 'same-site',
}

export function sendPicture(
  reply: FastifyReply,
  { type, bytes }: MadePicture,
  headers: Record<string, string>,
): FastifyReply {
  return reply
    .headers({ 'content-type': type, 'content-security-policy': "default-src 'none'; sandbox", ...headers })
    .send(bytes)
}

const asPng = async (drawn: Promise<Buffer>): Promise<MadePicture> => ({
  type: 'image/png',
  bytes: await drawn,
})

async function drawIcon(
  { images, blobs }: AvatarParts,
  account: number,
  icon: Icon,
  box: { width: number; height: number },
): Promise<Buffer> {
  await using scratch = await blobs.begin(iconBytes)
  const output = join(scratch.path, 'icon.png')
  await images.icon(account, icon, output, box)
  return await readFile(output)
}
