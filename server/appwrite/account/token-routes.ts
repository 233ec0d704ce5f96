/**
 * Requests do not reveal whether an account has the address. The account is found or created when the secret
 * is used.
 */
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import type { AppContext } from '#server/app-context.ts'
import { issueOneTimeCode } from '#server/auth/one-time-tokens.ts'
import { renderCodeEmail, renderCodeSms } from '#server/email/message-templates.ts'
import { consumeAccountMessageLimit } from '#server/features/account/account-message-limits.ts'
import { appendUrlQuery } from '#server/features/account/email-link-urls.ts'
import { sendSignInLink, signInWithOneTimeToken } from '#server/features/account/sign-in-by-link-or-code.ts'
import { getPublicUrlForRequest } from '#server/net/public-url.ts'
import { registerRoute } from '#server/route.ts'
import { toAppwriteToken } from '../build-response-models.ts'
import { appwriteProjectId } from '../project-guard.ts'
import {
  createAppwriteParametersReader,
  customIdSchema,
  phoneNumberSchema,
  tokenSecretSchema,
  userIdSchema,
} from '../request-parameters.ts'
import { parseEmailLinkUrl, redirectUrlSchema } from './redirect-url.ts'
import { generateSecurityPhrase } from './security-phrase.ts'
import { replyWithAppwriteSession } from './session-routes.ts'

const linkParameters = z.object({ userId: userIdSchema, secret: tokenSecretSchema })

const phrase = z.optional(z.boolean())
const emailAndId = { userId: customIdSchema, email: fields.emailSchema, phrase }

export function registerAppwriteTokenRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: ['/v1/account/sessions/magic-url', '/v1/account/tokens/magic-url'],
      who: 'visitor',
      limit: 'email-request',
      status: 201,
      input: createAppwriteParametersReader(z.object({ ...emailAndId, url: z.optional(redirectUrlSchema) })),
    },
    async ({ userId, email, url = '', phrase }, ctx) => {
      const page =
        url === ''
          ? `${getPublicUrlForRequest(ctx.request, ctx)}/v1/auth/magic-url`
          : parseEmailLinkUrl(ctx.request, ctx, url)
      const shown = phrase ? generateSecurityPhrase() : ''
      const token = await sendSignInLink(ctx, email, {
        shownUserId: userId,
        linkTo: ({ userId, secret }, token) =>
          appendUrlQuery(page, {
            userId,
            secret,
            expire: toAppwriteToken(token).expire,
            project: appwriteProjectId,
          }),
        phrase: shown,
      })
      return toAppwriteToken(token, shown)
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: '/v1/account/tokens/email',
      who: 'visitor',
      limit: 'email-request',
      status: 201,
      input: createAppwriteParametersReader(z.object(emailAndId)),
    },
    async ({ userId, email, phrase }, ctx) => {
      const { emails, store } = ctx
      emails.assertAvailable()
      const mayBeSent = await consumeAccountMessageLimit(ctx, 'email-code', email)
      const about = { accountId: null, sentTo: email, shownUserId: userId }
      const { token, secret } = await store.transact(({ db }) => issueOneTimeCode(db, 'email', about))
      const model = toAppwriteToken(token, phrase ? generateSecurityPhrase() : '')
      if (mayBeSent) emails.send(email, renderCodeEmail(secret, model.phrase))
      return model
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: ['/v1/account/sessions/phone', '/v1/account/tokens/phone'],
      who: 'visitor',
      limit: 'email-request',
      status: 201,
      input: createAppwriteParametersReader(z.object({ userId: customIdSchema, phone: phoneNumberSchema })),
    },
    async ({ userId, phone }, ctx) => {
      const { sms, store } = ctx
      sms.assertAvailable()
      const mayBeSent = await consumeAccountMessageLimit(ctx, 'phone-code', phone)
      const about = { accountId: null, sentTo: phone, shownUserId: userId }
      const { token, secret } = await store.transact(({ db }) => issueOneTimeCode(db, 'phone', about))
      if (mayBeSent) sms.send(phone, renderCodeSms('phone-code', secret))
      return toAppwriteToken(token)
    },
  )

  const confirmations = [
    { method: 'PUT', path: '/sessions/magic-url', kinds: ['magic-url'] },
    { method: 'PUT', path: '/sessions/phone', kinds: ['phone'] },
    { method: 'POST', path: '/sessions/token', kinds: ['magic-url', 'email', 'phone', 'oauth'] },
  ] as const
  for (const { method, path, kinds } of confirmations) {
    registerRoute(
      app,
      context,
      {
        method,
        url: `/v1/account${path}`,
        who: 'visitor',
        limit: 'sign-in',
        status: 201,
        input: createAppwriteParametersReader(linkParameters),
      },
      async (linkParameters, ctx) =>
        replyWithAppwriteSession(ctx, await signInWithOneTimeToken(ctx, linkParameters, kinds)),
    )
  }
}
