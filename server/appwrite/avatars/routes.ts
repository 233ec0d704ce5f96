/** Everybody can request initials. Only members can request icons and QR codes. */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/app-context.ts'
import { drawPngQueuedByCaller, initialsCacheHeaders } from '#server/features/people/initials-routes.ts'
import { sendCachedImage } from '#server/files/file-response.ts'
import { browserIcons, countryFlagCodes, creditCardIcons } from '#server/images/drawing/icon-codes.ts'
import type { IconCode } from '#server/images/drawing/icon-svg.ts'
import {
  chooseAppwriteInitialsColor,
  extractNameInitials,
} from '#server/images/drawing/initials-and-color.ts'
import { registerRoute } from '#server/route.ts'
import {
  type QueryStringParameters,
  readBooleanParameter,
  readHexColorParameter,
  readIntegerParameter,
  readLimitedTextParameter,
  readRequiredEnumParameter,
  readRequiredLimitedTextParameter,
} from '../query-parameters.ts'
import { createQueryStringReader } from '../request-parameters.ts'

const picture = { method: 'GET', limit: 'read', cache: 'as it says' } as const

const png = 'image/png'
const ownHeaders = { 'cache-control': 'private, no-store', 'cross-origin-resource-policy': 'same-origin' }

const maxSide = 2000
const usualSide = { initials: 500, icon: 100, qr: 400 }
const longest = { name: 128, text: 512 }
const qrSide = { min: 1, max: 1000 }
const qrMargin = { min: 0, max: 10, usual: 1 }
const icons: Record<IconCode['set'], readonly string[]> = {
  browsers: [...browserIcons.keys()],
  'credit-cards': [...creditCardIcons.keys()],
  flags: [...countryFlagCodes],
}

export function registerAppwriteAvatarRoutes(app: FastifyInstance, context: AppContext): void {
  const initials = {
    ...picture,
    url: '/v1/avatars/initials',
    who: 'visitor',
    input: createQueryStringReader((query) => ({
      given: readLimitedTextParameter(query, 'name', longest.name),
      width: readIntegerParameter(query, 'width', 0, maxSide) || usualSide.initials,
      height: readIntegerParameter(query, 'height', 0, maxSide) || usualSide.initials,
      asked: readHexColorParameter(query, 'background'),
      // Appwrite does not have this parameter, `bold`.
      bold: readBooleanParameter(query, 'bold') ?? false,
    })),
  } as const
  registerRoute(app, context, initials, async ({ given, width, height, asked, bold }, ctx) => {
    const { caller } = ctx.request
    const name = given ?? caller?.member?.name ?? (caller?.account.name || caller?.account.email) ?? ''
    const initials = extractNameInitials(name)
    const background = asked ?? chooseAppwriteInitialsColor(initials)
    const bytes = await drawPngQueuedByCaller(ctx, {
      kind: 'initials',
      initials,
      width,
      height,
      background,
      bold,
    })

    const headers = given === undefined ? ownHeaders : initialsCacheHeaders
    return sendCachedImage(ctx.reply, { type: png, bytes }, headers)
  })

  for (const set of Object.keys(icons) as IconCode['set'][]) {
    const icon = {
      ...picture,
      url: `/v1/avatars/${set}/:code`,
      who: 'member',
      input: createQueryStringReader((query, { params }) => {
        const code = readRequiredEnumParameter(params as QueryStringParameters, 'code', icons[set])
        const width = readIntegerParameter(query, 'width', 0, maxSide) || usualSide.icon
        const height = readIntegerParameter(query, 'height', 0, maxSide) || usualSide.icon
        // PNG is lossless, so the value is only validated.
        readIntegerParameter(query, 'quality', -1, 100)
        return { code, width, height }
      }),
    } as const
    registerRoute(app, context, icon, async ({ code, width, height }, ctx) => {
      const bytes = await drawPngQueuedByCaller(ctx, { kind: 'icon', icon: { set, code }, width, height })
      return sendCachedImage(ctx.reply, { type: png, bytes }, avatarCacheHeaders)
    })
  }

  const qr = {
    ...picture,
    url: '/v1/avatars/qr',
    who: 'member',
    input: createQueryStringReader((query) => ({
      text: readRequiredLimitedTextParameter(query, 'text', longest.text),
      size: readIntegerParameter(query, 'size', qrSide.min, qrSide.max) ?? usualSide.qr,
      margin: readIntegerParameter(query, 'margin', qrMargin.min, qrMargin.max) ?? qrMargin.usual,
      download: readBooleanParameter(query, 'download'),
    })),
  } as const
  registerRoute(app, context, qr, async ({ text, size, margin, download }, ctx) => {
    if (download) ctx.reply.header('content-disposition', 'attachment; filename="qr.png"')
    const bytes = await drawPngQueuedByCaller(ctx, { kind: 'qr', text, size, margin })
    return sendCachedImage(ctx.reply, { type: png, bytes }, avatarCacheHeaders)
  })
}

/** The cache is private to the member, because other pages must not detect who is signed in. */
export const avatarCacheHeaders = {
  'cache-control': 'private, max-age=2592000',
  'cross-origin-resource-policy': 'same-site',
}
