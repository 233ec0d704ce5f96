import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import * as fields from '#contract/field-schemas.ts'
import type { AppContext } from '#server/app-context.ts'
import { throwFailure } from '#server/errors.ts'
import { appendUrlQuery } from '#server/features/account/email-link-urls.ts'
import { resetPassword, sendPasswordResetEmail } from '#server/features/account/password-reset.ts'
import { type RequestContext, registerRoute } from '#server/route.ts'
import { toAppwriteToken } from '../build-response-models.ts'
import { createAppwriteParametersReader, tokenSecretSchema, userIdSchema } from '../request-parameters.ts'
import { parseEmailLinkUrl, redirectUrlSchema } from './redirect-url.ts'

export const passwordResetSchema = z.object({
  userId: userIdSchema,
  secret: tokenSecretSchema,
  password: fields.passwordSchema,
  passwordAgain: z.optional(z.string()),
})

export function registerAppwriteRecoveryRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: '/v1/account/recovery',
      who: 'visitor',
      limit: 'email-request',
      status: 201,
      input: createAppwriteParametersReader(z.object({ email: fields.emailSchema, url: redirectUrlSchema })),
    },
    async ({ email, url }, ctx) => {
      const page = parseEmailLinkUrl(ctx.request, ctx, url)
      const token = await sendPasswordResetEmail(ctx, email, ({ userId, secret }, token) =>
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
      url: '/v1/account/recovery',
      who: 'visitor',
      limit: 'sign-in',
      status: 200,
      input: createAppwriteParametersReader(passwordResetSchema),
    },
    async (input, ctx) => toAppwriteToken((await resetPasswordTypedTwice(ctx, input)).token),
  )
}

export function resetPasswordTypedTwice(
  ctx: RequestContext,
  { userId, secret, password, passwordAgain = password }: z.output<typeof passwordResetSchema>,
): ReturnType<typeof resetPassword> {
  if (password !== passwordAgain) throwFailure('user_password_mismatch')
  return resetPassword(ctx, { userId, secret, password })
}
