import type { FastifyInstance } from 'fastify'
import { getInitialsOperation } from '#contract/people/people.ts'
import type { AppContext } from '../../app-context.ts'
import { sendCachedImage } from '../../files/file-response.ts'
import type { InitialsIconOrQrCodeOptions } from '../../images/drawing/draw-initials-icon-or-qr-code.ts'
import { chooseProductInitialsColor, extractNameInitials } from '../../images/drawing/initials-and-color.ts'
import { toRateLimitAddress } from '../../net/rate-limit-address.ts'
import { type RequestContext, registerRoute } from '../../route.ts'

/** Pixels of the largest avatar on the sharpest display. */
const side = 500

/** Shared caches do not keep the picture, because the URL contains the name. */
export const initialsCacheHeaders = {
  'cache-control': 'private, max-age=2592000',
  'cross-origin-resource-policy': 'cross-origin',
}

export function registerInitialsRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getInitialsOperation, async ({ name }, ctx) => {
    const bytes = await drawPngQueuedByCaller(ctx, {
      kind: 'initials',
      initials: extractNameInitials(name),
      width: side,
      height: side,
      background: chooseProductInitialsColor(name),
      bold: true,
    })
    await sendCachedImage(ctx.reply, { type: 'image/png', bytes }, initialsCacheHeaders)
  })
}

/** A visitor's queue depends on their address. */
export const drawPngQueuedByCaller = (
  { images, request }: RequestContext,
  drawing: InitialsIconOrQrCodeOptions,
): Promise<Buffer> =>
  images.draw(request.caller?.account.id ?? toRateLimitAddress(request.ip), drawing, request.signal)
