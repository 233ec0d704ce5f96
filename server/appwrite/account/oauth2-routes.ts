import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorType } from '#contract/errors.ts'
import type { AppContext } from '#server/app-context.ts'
import { readBrowserCookie } from '#server/auth/known-browsers.ts'
import { createOidcClient, type OidcProfile } from '#server/auth/oidc-client.ts'
import { issueOneTimeLink } from '#server/auth/one-time-tokens.ts'
import { isSecondStepRequired } from '#server/auth/session.ts'
import { assertAccountOpen } from '#server/auth/suspended-and-closed-accounts.ts'
import { describeDeliveryError } from '#server/email/retry-sms-delivery.ts'
import { Failure, throwFailure, toFailure } from '#server/errors.ts'
import { sendAccountNoticeEmail } from '#server/features/account/account-security-notices.ts'
import { appendUrlQuery } from '#server/features/account/email-link-urls.ts'
import { findOrCreateIdentityAccount } from '#server/features/account/identity-account.ts'
import {
  beginProviderAttempt,
  exchangeCodeOfAttempt,
  type ProviderAttempt,
  spendProviderAttempt,
} from '#server/features/account/provider-attempts.ts'
import { createSessionReplacingCurrent } from '#server/features/account/session-routes.ts'
import { getPublicUrlForRequest } from '#server/net/public-url.ts'
import { registerRoute } from '#server/route.ts'
import { appwriteProjectId } from '../project-guard.ts'
import { type QueryStringParameters, readTextParameter } from '../query-parameters.ts'
import { createQueryStringReader } from '../request-parameters.ts'
import { parseRedirectUrl } from './redirect-url.ts'
import { replyWithAppwriteSession } from './session-routes.ts'

const providerNames = [
  ...[
    'amazon',
    'apple',
    'auth0',
    'authentik',
    'autodesk',
    'bitbucket',
    'bitly',
    'box',
    'dailymotion',
    'discord',
  ],
  ...[
    'disqus',
    'dropbox',
    'etsy',
    'facebook',
    'github',
    'gitlab',
    'google',
    'linkedin',
    'microsoft',
    'notion',
  ],
  ...[
    'oidc',
    'okta',
    'paypal',
    'paypalSandbox',
    'podio',
    'salesforce',
    'slack',
    'spotify',
    'stripe',
    'tradeshift',
  ],
  ...['tradeshiftBox', 'twitch', 'wordpress', 'yahoo', 'yammer', 'yandex', 'zoom'],
]

const callback = 'sessions/oauth2/callback/:provider/:project'

const asked = createQueryStringReader((query, { params }) => ({
  query,
  name: (params as { provider: string }).provider,
}))

export function registerAppwriteOAuth2Routes(app: FastifyInstance, context: AppContext): void {
  const { config } = context
  const oauth = createOidcClient(config)
  const known = new Set([...providerNames, ...config.oauth.map(({ name }) => name)])

  for (const wanted of ['session', 'token'] as const) {
    registerRoute(
      app,
      context,
      redirecting(`${wanted}s/oauth2/:provider`),
      async ({ query, name }, { request, reply }) => {
        if (!known.has(name)) invalid('provider', `Value must be one of (${providerNames.join(', ')})`)
        const own = getPublicUrlForRequest(request, context)
        const page = (parameter: string, standard: string) =>
          parseRedirectUrl(
            request,
            context,
            parameter,
            readTextParameter(query, parameter) ?? `${own}${standard}`,
          ).href
        const success_url = page('success', '/')
        const failure_url = page('failure', '/sign-in')
        const scopes = scopesIn(query)
        return orToFailure(reply, failure_url, async () => {
          const destination = await beginProviderAttempt({ ...context, request, reply }, oauth, {
            redirectUri: callbackUrl(own, name),
            scopes,
            provider: name,
            wanted,
            success_url,
            failure_url,
          })
          return redirect(reply, destination.href)
        })
      },
    )
  }

  registerRoute(app, context, redirecting(callback), async ({ query, name }, ctx) => {
    const { request, reply } = ctx
    const state = readTextParameter(query, 'state') ?? ''
    const attempt =
      (await spendProviderAttempt(ctx, name, state, ['session', 'token'])) ??
      throwFailure('user_oauth2_bad_request')
    return orToFailure(reply, attempt.failure_url, async () => {
      const redirectUri = callbackUrl(getPublicUrlForRequest(request, context), name)
      const person = await exchangeCodeOfAttempt(ctx, oauth, attempt, redirectUri)
      return redirect(reply, await letIn(context, request, reply, attempt, person))
    })
  })
}

const redirecting = (path: string) =>
  ({ method: 'GET', url: `/v1/account/${path}`, who: 'visitor', limit: 'sign-in', input: asked }) as const

/** The redirect URL never contains a session, at most a secret that works once. */
async function letIn(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, wanted, success_url }: ProviderAttempt,
  person: OidcProfile,
): Promise<string> {
  const { config, store } = context
  if (wanted === 'token') {
    const { account, linked, secret } = await store.transact(async ({ db }) => {
      const { account, linked } = await findOrCreateIdentityAccount(db, { request, config }, provider, person)
      // If the account requires a second factor, the first factor reveals nothing about the account.
      if (!(await isSecondStepRequired(db, account.id, readBrowserCookie(request, config))))
        await assertAccountOpen(db, account)
      const about = { accountId: account.id, sentTo: null, shownUserId: account.public_id }
      return { account, linked, ...(await issueOneTimeLink(db, 'oauth', about)) }
    })
    if (linked) await sendAccountNoticeEmail({ ...context, request }, account, 'identity-added')
    return appendUrlQuery(success_url, { userId: account.public_id, secret })
  }
  const { created, linked } = await store.transact(async ({ db }) => {
    const { account, linked } = await findOrCreateIdentityAccount(db, { request, config }, provider, person)
    return {
      linked,
      created: await createSessionReplacingCurrent(db, { request, config }, account, {
        provider,
        providerUid: person.subject,
      }),
    }
  })
  if (linked) await sendAccountNoticeEmail({ ...context, request }, created.account, 'identity-added')
  await replyWithAppwriteSession({ ...context, request, reply }, created)
  return success_url
}

const callbackUrl = (own: string, provider: string) =>
  `${own}/v1/account/sessions/oauth2/callback/${encodeURIComponent(provider)}/${appwriteProjectId}`

const redirect = (reply: FastifyReply, to: string) => reply.redirect(to, 302)

/** Appwrite clients do not know these error types. */
const ownTypes: ReadonlySet<ErrorType> = new Set(['user_oauth2_denied', 'user_oauth2_email_missing'])

/** Redirects an error to the failure URL of the requesting page, as Appwrite does. */
async function orToFailure(
  reply: FastifyReply,
  failureUrl: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const foreseen = toFailure(error)
    if (!foreseen) reply.log.error({ err: error }, 'a request failed')
    const failure = foreseen ?? new Failure('general_unknown')
    reply.log.warn(
      { type: failure.type, reason: describeDeliveryError(failure.cause ?? failure) },
      'a sign-in through a provider failed',
    )
    const {
      message,
      type,
      status: code,
    } = ownTypes.has(failure.type)
      ? new Failure('user_oauth2_unauthorized', { message: failure.message })
      : failure
    return redirect(reply, appendUrlQuery(failureUrl, { error: JSON.stringify({ message, type, code }) }))
  }
}

function scopesIn(query: QueryStringParameters): string[] {
  const given = Object.entries(query)
    .filter(([name]) => /^scopes(\[\d*\])?$/.test(name))
    .flatMap(([, value]) => value)
  const fine = (scope: unknown): scope is string =>
    typeof scope === 'string' && /^[\w.:/-]{1,256}$/.test(scope)
  if (given.length > 100 || !given.every(fine)) {
    return invalid('scopes', 'Value must a valid array no longer than 100 items')
  }
  return given
}

const invalid = (parameter: string, text: string): never =>
  throwFailure('general_argument_invalid', {
    message: `Invalid \`${parameter}\` param: ${text}`,
    field: parameter,
  })
