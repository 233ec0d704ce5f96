import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import { recordAccountEvent } from '#server/auth/account-audit-log.ts'
import { issueOneTimeCode } from '#server/auth/one-time-tokens.ts'
import { recordTokenChange } from '#server/auth/record-token-and-file-changes.ts'
import { renderCodeSms } from '#server/email/message-templates.ts'
import { throwFailure } from '#server/errors.ts'
import { consumeAccountMessageLimit } from '#server/features/account/account-message-limits.ts'
import { appendUrlQuery, buildServerEmailLink } from '#server/features/account/email-link-urls.ts'
import {
  confirmCurrentOrNewEmail,
  sendVerificationEmail,
} from '#server/features/account/email-verification.ts'
import { consumeRateLimitedOneTimeCode } from '#server/features/account/sign-in-by-link-or-code.ts'
import { type RequestContext, registerRoute } from '#server/route.ts'
import { toAppwriteToken } from '../build-response-models.ts'
import {
  createAppwriteParametersReader,
  emptyParametersSchema,
  tokenSecretSchema,
  userIdSchema,
} from '../request-parameters.ts'
import { parseEmailLinkUrl, redirectUrlSchema } from './redirect-url.ts'

const linkParameters = z.object({ userId: userIdSchema, secret: tokenSecretSchema })

export function registerAppwriteVerificationRoutes(app: FastifyInstance, context: AppContext): void {
  const accountOf = ({ caller, database }: RequestContext) =>
    database.kysely
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', caller.account.id)
      .executeTakeFirstOrThrow()

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: ['/v1/account/verification', '/v1/account/verifications/email'],
      who: 'account',
      limit: 'email-request',
      status: 201,
      input: createAppwriteParametersReader(z.object({ url: redirectUrlSchema })),
    },
    async ({ url }, ctx) => {
      const page = parseEmailLinkUrl(ctx.request, ctx, url)
      const token = await sendVerificationEmail(ctx, ({ userId, secret }, token) =>
        appendUrlQuery(page, { userId, secret, expire: toAppwriteToken(token).expire }),
      )
      return toAppwriteToken(token)
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'PUT',
      url: ['/v1/account/verification', '/v1/account/verifications/email'],
      who: 'visitor',
      limit: 'sign-in',
      status: 200,
      input: createAppwriteParametersReader(linkParameters),
    },
    async (linkParameters, ctx) =>
      toAppwriteToken((await confirmCurrentOrNewEmail(ctx, linkParameters, buildServerEmailLink)).token),
  )

  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: ['/v1/account/verification/phone', '/v1/account/verifications/phone'],
      who: 'account',
      limit: 'email-request',
      status: 201,
      input: createAppwriteParametersReader(emptyParametersSchema),
    },
    async (_input, ctx) => {
      const { request, sms, store } = ctx
      const account = await accountOf(ctx)
      const { phone } = account
      if (phone === null) return throwFailure('user_phone_not_found')
      if (account.phone_verified) return throwFailure('user_phone_already_verified')
      sms.assertAvailable()
      await consumeAccountMessageLimit(ctx, 'phone-verification', phone)
      const about = { accountId: account.id, sentTo: phone, shownUserId: account.public_id }
      const { token, secret } = await store.transact(async ({ db }) => {
        await recordAccountEvent(db, request, account.id, 'verification.create')
        const issued = await issueOneTimeCode(db, 'phone-verification', about)
        await recordTokenChange(db, 'create', 'verification', issued.token)
        return issued
      })
      sms.send(phone, renderCodeSms('phone-verification', secret))
      return toAppwriteToken(token)
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'PUT',
      url: ['/v1/account/verification/phone', '/v1/account/verifications/phone'],
      who: 'visitor',
      limit: 'sign-in',
      status: 200,
      input: createAppwriteParametersReader(linkParameters),
    },
    async ({ userId, secret }, ctx) => {
      const { request, store } = ctx
      const token = await consumeRateLimitedOneTimeCode(ctx, ['phone-verification'], userId, secret)
      await store.transact(async ({ db }) => {
        const verified = await db
          .updateTable('accounts')
          .set({ phone_verified: true })
          .where('id', '=', token.account_id)
          .where('phone', '=', token.sent_to)
          .executeTakeFirst()
        if (verified.numUpdatedRows === 0n || token.account_id === null) throwFailure('user_invalid_token')
        else await recordAccountEvent(db, request, token.account_id, 'verification.update')
        await recordTokenChange(db, 'update', 'verification', token)
      })
      return toAppwriteToken(token)
    },
  )
}
