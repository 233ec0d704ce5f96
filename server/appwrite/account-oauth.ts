/**
 * Signing in through a provider: a redirect there and one back (platform reference §5.2; security reference S05–S07,
 * §5.7). The state is spent by the browser that began, within ten minutes, once.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Selectable, sql } from 'kysely'
import type { Config } from '../config.ts'
import { hostCookie } from '../cookies.ts'
import type { Tables } from '../database/schema.ts'
import { reasonOf } from '../delivery.ts'
import { asFailure, Failure, fail } from '../errors.ts'
import { createOAuth, type ProvenPerson } from '../oauth.ts'
import { issueLink } from '../one-time-secrets.ts'
import type { Parts } from '../parts.ts'
import type { RouteClasses } from '../route-classes.ts'
import { hashOf } from '../session.ts'
import { allowedUrl, ownUrl, withQuery } from './account-calls.ts'
import { accountOfIdentity } from './account-identities.ts'
import { handOver, openSession } from './account-sessions.ts'
import { type Query, textOf } from './parameters.ts'
import { projectId } from './project.ts'

/** Every name the dialect knows: any other is no provider at all. */
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
const classes: RouteClasses = {
  who: 'visitor',
  input: 'parameters',
  limit: ['sign-in'],
  cache: 'never',
  log: 'each',
}
const redirecting = { config: classes }

type Redirecting = { Params: { provider: string }; Querystring: Query }
type AttemptRow = Selectable<Tables['oauth_attempts']>

export function oauthCalls(app: FastifyInstance, parts: Parts): void {
  const { config, limits } = parts
  const oauth = createOAuth(config)
  const known = new Set([...providerNames, ...config.oauth.map(({ name }) => name)])

  for (const wanted of ['session', 'token'] as const) {
    app.get<Redirecting>(`/v1/account/${wanted}s/oauth2/:provider`, redirecting, async (request, reply) => {
      await limits.count(request, reply, 'sign-in')
      const { provider: name } = request.params
      if (!known.has(name)) invalid('provider', `Value must be one of (${providerNames.join(', ')})`)
      const own = ownUrl(request, parts)
      const page = (parameter: string, standard: string) =>
        allowedUrl(request, parts, parameter, textOf(request.query, parameter) ?? `${own}${standard}`).href
      const success_url = page('success', '/')
      const failure_url = page('failure', '/sign-in')
      const scopes = scopesIn(request.query)
      return orToFailure(reply, failure_url, async () => {
        const provider = oauth.provider(name) ?? fail('project_provider_disabled')
        const attempt = {
          redirectUri: callbackUrl(own, name),
          state: randomBytes(32).toString('base64url'),
          browser: randomBytes(32).toString('base64url'),
        }
        const destination = await provider.begin(attempt, scopes)
        await parts.database.kysely
          .insertInto('oauth_attempts')
          .values({
            state_hash: hashOf(attempt.state),
            browser_hash: hashOf(attempt.browser),
            provider: name,
            wanted,
            success_url,
            failure_url,
          })
          .execute()
        keepInBrowser(reply, config, attempt.browser)
        return redirect(reply, destination.href)
      })
    })
  }

  app.get<Redirecting>(`/v1/account/${callback}`, redirecting, async (request, reply) => {
    await limits.count(request, reply, 'sign-in')
    const { provider: name } = request.params
    const state = textOf(request.query, 'state') ?? ''
    const cookie = cookieOf(config)
    const browser = request.cookies[cookie.name] ?? ''
    const begun = await spendAttempt(parts, name, state, browser)
    reply.clearCookie(cookie.name, cookie.options)
    return orToFailure(reply, begun.failure_url, async () => {
      const provider = oauth.provider(name) ?? fail('project_provider_disabled')
      const redirectUri = callbackUrl(ownUrl(request, parts), name)
      const { search } = new URL(request.url, redirectUri)
      const person = await provider.finish({ redirectUri, state, browser }, new URL(search, redirectUri))
      return redirect(reply, await letIn(parts, request, reply, begun, person))
    })
  })
}

/** The state must be one that this browser began with this provider, not long ago, and not come back before. */
async function spendAttempt(
  { database }: Parts,
  provider: string,
  state: string,
  browser: string,
): Promise<AttemptRow> {
  const begun = await database.kysely
    .deleteFrom('oauth_attempts')
    .where('state_hash', '=', hashOf(state))
    .where('browser_hash', '=', hashOf(browser))
    .where('provider', '=', provider)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
  return begun ?? fail('user_oauth2_bad_request')
}

/** @returns where she goes; never with a session in it, at most with a secret to spend once for one */
async function letIn(
  { config, store }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, wanted, success_url }: AttemptRow,
  person: ProvenPerson,
): Promise<string> {
  if (wanted === 'token') {
    const { account, secret } = await store.transact(async ({ db }) => {
      const account = await accountOfIdentity(db, provider, person)
      const about = { accountId: account.id, sentTo: null, askedAs: account.public_id }
      return { account, ...(await issueLink(db, 'oauth', about)) }
    })
    return withQuery(success_url, { userId: account.public_id, secret })
  }
  const begun = await store.transact(async ({ db }) => {
    const account = await accountOfIdentity(db, provider, person)
    return openSession(db, request, account, { provider, providerUid: person.subject })
  })
  handOver({ request, reply, config }, begun)
  return success_url
}

const callbackUrl = (own: string, provider: string) =>
  `${own}/v1/account/sessions/oauth2/callback/${encodeURIComponent(provider)}/${projectId}`

const redirect = (reply: FastifyReply, to: string) => reply.redirect(to, 302)

/** What goes wrong is told to the page that asked, as the dialect tells it. */
async function orToFailure(
  reply: FastifyReply,
  failureUrl: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const foreseen = asFailure(error)
    if (!foreseen) reply.log.error({ err: error }, 'a request failed')
    const failure = foreseen ?? new Failure('general_unknown')
    reply.log.warn(
      { type: failure.type, reason: reasonOf(failure.cause ?? failure) },
      'a sign-in through a provider failed',
    )
    const { message, type, status: code } = failure
    return redirect(reply, withQuery(failureUrl, { error: JSON.stringify({ message, type, code }) }))
  }
}

function scopesIn(query: Query): string[] {
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
  fail('general_argument_invalid', { message: `Invalid \`${parameter}\` param: ${text}`, field: parameter })

const cookieOf = (config: Config) => hostCookie(config, 'oauth_juntas')

function keepInBrowser(reply: FastifyReply, config: Config, browser: string): void {
  const { name, options } = cookieOf(config)
  reply.setCookie(name, browser, { ...options, maxAge: 600 })
}
