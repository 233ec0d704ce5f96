/**
 * Signs in through a provider by redirects. Only the browser that started can spend the state, once, within
 * ten minutes.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Selectable, sql } from 'kysely'
import type { AppContext } from '#server/app-context.ts'
import { hashSecretSha256 } from '#server/auth/hash-secret.ts'
import { defineHostCookie } from '#server/auth/host-cookie.ts'
import { readBrowserCookie } from '#server/auth/known-browsers.ts'
import { createOidcClient, type OidcProfile } from '#server/auth/oidc-client.ts'
import { issueOneTimeLink } from '#server/auth/one-time-tokens.ts'
import { isSecondStepRequired } from '#server/auth/session.ts'
import { assertAccountOpen } from '#server/auth/suspended-and-closed-accounts.ts'
import type { Config } from '#server/config.ts'
import type { DatabaseTables } from '#server/database/schema.ts'
import { describeDeliveryError } from '#server/email/retry-delivery.ts'
import { Failure, throwFailure, toFailure } from '#server/errors.ts'
import { sendAccountNoticeEmail } from '#server/features/account/account-security-notices.ts'
import { appendUrlQuery } from '#server/features/account/email-link-urls.ts'
import { createSessionReplacingCurrent } from '#server/features/account/session-routes.ts'
import { getPublicUrlForRequest } from '#server/net/public-url.ts'
import { registerRoute } from '#server/route.ts'
import { appwriteProjectId } from '../project-guard.ts'
import { type QueryStringParameters, readTextParameter } from '../query-parameters.ts'
import { createQueryStringReader } from '../request-parameters.ts'
import { findOrCreateIdentityAccount } from './identity-routes.ts'
import { parseRedirectUrl } from './redirect-url.ts'
import { replyWithAppwriteSession } from './session-routes.ts'

/** All names that the Appwrite API knows. */
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

/** The path's provider and the query. */
const asked = createQueryStringReader((query, { params }) => ({
  query,
  name: (params as { provider: string }).provider,
}))

type AttemptRow = Selectable<DatabaseTables['oauth_attempts']>

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
          const provider = oauth.provider(name) ?? throwFailure('project_provider_disabled')
          const attempt = {
            redirectUri: callbackUrl(own, name),
            state: randomBytes(32).toString('base64url'),
            browserSecret: randomBytes(32).toString('base64url'),
          }
          const destination = await provider.authorizationUrl(attempt, scopes)
          await context.database.kysely
            .insertInto('oauth_attempts')
            .values({
              state_hash: hashSecretSha256(attempt.state),
              browser_hash: hashSecretSha256(attempt.browserSecret),
              provider: name,
              wanted,
              success_url,
              failure_url,
            })
            .execute()
          keepInBrowser(reply, config, attempt.browserSecret)
          return redirect(reply, destination.href)
        })
      },
    )
  }

  registerRoute(app, context, redirecting(callback), async ({ query, name }, { request, reply }) => {
    const state = readTextParameter(query, 'state') ?? ''
    const cookie = cookieOf(config)
    const browserSecret = request.cookies[cookie.name] ?? ''
    const attempt = await spendAttempt(context, name, state, browserSecret)
    reply.clearCookie(cookie.name, cookie.options)
    return orToFailure(reply, attempt.failure_url, async () => {
      const provider = oauth.provider(name) ?? throwFailure('project_provider_disabled')
      const redirectUri = callbackUrl(getPublicUrlForRequest(request, context), name)
      const { search } = new URL(request.url, redirectUri)
      const person = await provider.exchangeCode(
        { redirectUri, state, browserSecret },
        new URL(search, redirectUri),
      )
      return redirect(reply, await letIn(context, request, reply, attempt, person))
    })
  })
}

const redirecting = (path: string) =>
  ({ method: 'GET', url: `/v1/account/${path}`, who: 'visitor', limit: 'sign-in', input: asked }) as const

/** Requires a recent unused state that this browser started with this provider. */
async function spendAttempt(
  { database }: AppContext,
  provider: string,
  state: string,
  browserSecret: string,
): Promise<AttemptRow> {
  const attempt = await database.kysely
    .deleteFrom('oauth_attempts')
    .where('state_hash', '=', hashSecretSha256(state))
    .where('browser_hash', '=', hashSecretSha256(browserSecret))
    .where('provider', '=', provider)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
  return attempt ?? throwFailure('user_oauth2_bad_request')
}

/** @returns where the browser goes; never with a session in it, at most with a secret to spend once for one */
async function letIn(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, wanted, success_url }: AttemptRow,
  person: OidcProfile,
): Promise<string> {
  const { config, store } = context
  if (wanted === 'token') {
    const { account, linked, secret } = await store.transact(async ({ db }) => {
      const { account, linked } = await findOrCreateIdentityAccount(db, { request, config }, provider, person)
      // Callers needing a second step learn nothing about the account before.
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

/** Redirects errors to the requesting page, as Appwrite does. */
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
    const { message, type, status: code } = failure
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

const cookieOf = (config: Config) => defineHostCookie(config, 'oauth_juntas')

function keepInBrowser(reply: FastifyReply, config: Config, browserSecret: string): void {
  const { name, options } = cookieOf(config)
  reply.setCookie(name, browserSecret, { ...options, maxAge: 600 })
}
