import type { FastifyInstance } from 'fastify'
import * as recovery from '#contract/account/email-links.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { registerRoute } from '../../route.ts'
import { undoEmailChange } from './email-change.ts'
import { buildWebEmailLink, type EmailLinkParameters } from './email-link-urls.ts'
import { confirmCurrentOrNewEmail } from './email-verification.ts'
import { resetPassword, sendPasswordResetEmail } from './password-reset.ts'
import {
  createSessionReplacingCurrent,
  lockAccountUnlessPasswordOrEmailChanged,
  sendSessionCookiesAndNotices,
  toCreatedSessionResponse,
} from './session-routes.ts'
import { sendSignInLink, signInWithOneTimeToken } from './sign-in-by-link-or-code.ts'
import { cancelTwoFactorRemoval } from './two-factor-removal-requests.ts'

export function registerEmailLinkRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, recovery.requestPasswordResetOperation, async ({ email }, ctx) => {
    await sendPasswordResetEmail(ctx, email, (linkParameters) =>
      buildWebEmailLink(ctx.request, ctx, 'recovery', linkParameters),
    )
  })

  registerRoute(app, context, recovery.resetPasswordOperation, async (input, ctx) => {
    const { store, live } = ctx
    const { account, remembered } = await resetPassword(ctx, input)
    const created = await store.transact(async ({ db }) => {
      return createSessionReplacingCurrent(
        db,
        ctx,
        await lockAccountUnlessPasswordOrEmailChanged(db, account),
        {
          provider: 'email',
          providerUid: account.email ?? '',
          remembered,
          allowsClosed: true,
        },
      )
    })
    await sendSessionCookiesAndNotices(ctx, created)
    live.notify([])
    return toCreatedSessionResponse(created)
  })

  registerRoute(app, context, recovery.requestSignInLinkOperation, async ({ email }, ctx) => {
    const linkTo = (linkParameters: EmailLinkParameters) =>
      buildWebEmailLink(ctx.request, ctx, 'magic-url', linkParameters)
    await sendSignInLink(ctx, email, { shownUserId: generateId(), linkTo })
  })

  registerRoute(app, context, recovery.signInByLinkOperation, async (linkParameters, ctx) => {
    const created = await signInWithOneTimeToken(ctx, linkParameters, ['magic-url'], true)
    await sendSessionCookiesAndNotices(ctx, created)
    ctx.live.notify([])
    return toCreatedSessionResponse(created)
  })

  registerRoute(app, context, recovery.confirmEmailOperation, async (input, ctx) => {
    const { recovery } = await confirmCurrentOrNewEmail(ctx, input, buildWebEmailLink)
    ctx.live.notify([])
    return { recovery }
  })

  registerRoute(app, context, recovery.keepTwoFactorOperation, async ({ secret }, { request, store }) => {
    await store.transact(async ({ db }) => {
      const account = (await cancelTwoFactorRemoval(db, secret)) ?? throwFailure('user_invalid_token')
      await recordAccountEvent(db, request, account, 'mfa.unlock-stop')
    })
  })

  registerRoute(app, context, recovery.undoEmailChangeOperation, async (linkParameters, ctx) => {
    const recovery = await undoEmailChange(ctx, linkParameters)
    ctx.live.notify([])
    return recovery
  })
}
