/** Only the browser that began an attempt can use its state, once, within ten minutes. */
import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { defineHostCookie } from '../../auth/host-cookie.ts'
import type { OidcClient, OidcProfile } from '../../auth/oidc-client.ts'
import type { Config } from '../../config.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import type { RequestContext } from '../../route.ts'

export type ProviderAttempt = Selectable<DatabaseTables['oauth_attempts']>

type Wanted = ProviderAttempt['wanted']
type AttemptContext = Pick<RequestContext, 'request' | 'reply' | 'config' | 'database'>

export type SpentAttempt = ProviderAttempt & { state: string; browserSecret: string }

const lifetimeSeconds = 600

/**
 * @param redirectUri where the provider sends the browser back to
 * @returns the provider's address, which the browser must open
 * @throws Failure 412 for a provider that is not configured, 424 for a provider that does not answer
 */
export async function beginProviderAttempt(
  { reply, config, database }: AttemptContext,
  oauth: OidcClient,
  {
    redirectUri,
    scopes = [],
    ...attempt
  }: { redirectUri: string; scopes?: readonly string[] } & Pick<
    ProviderAttempt,
    'provider' | 'wanted' | 'success_url' | 'failure_url'
  > &
    Partial<Pick<ProviderAttempt, 'invite_hash' | 'account_id'>>,
): Promise<URL> {
  const provider = oauth.provider(attempt.provider) ?? throwFailure('project_provider_disabled')
  const state = randomBytes(32).toString('base64url')
  const browserSecret = randomBytes(32).toString('base64url')
  const destination = await provider.authorizationUrl({ redirectUri, state, browserSecret }, scopes)
  await database.kysely
    .insertInto('oauth_attempts')
    .values({
      ...attempt,
      state_hash: hashSecretSha256(state),
      browser_hash: hashSecretSha256(browserSecret),
    })
    .execute()
  const { name, options } = cookieOf(config)
  reply.setCookie(name, browserSecret, { ...options, maxAge: lifetimeSeconds })
  return destination
}

/**
 * @param wanted the kinds of attempt that end at this address
 * @returns null unless this browser began a recent, unused attempt
 */
export async function spendProviderAttempt(
  { request, reply, config, database }: AttemptContext,
  provider: string,
  state: string,
  wanted: readonly Wanted[],
): Promise<SpentAttempt | null> {
  const { name, options } = cookieOf(config)
  const browserSecret = request.cookies[name] ?? ''
  const attempt = await database.kysely
    .deleteFrom('oauth_attempts')
    .where('state_hash', '=', hashSecretSha256(state))
    .where('browser_hash', '=', hashSecretSha256(browserSecret))
    .where('provider', '=', provider)
    .where('wanted', 'in', wanted)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
  if (!attempt) return null
  reply.clearCookie(name, options)
  return { ...attempt, state, browserSecret }
}

export function exchangeCodeOfAttempt(
  { request }: Pick<RequestContext, 'request'>,
  oauth: OidcClient,
  { provider: name, state, browserSecret }: SpentAttempt,
  redirectUri: string,
): Promise<OidcProfile> {
  const provider = oauth.provider(name) ?? throwFailure('project_provider_disabled')
  const { search } = new URL(request.url, redirectUri)
  return provider.exchangeCode({ redirectUri, state, browserSecret }, new URL(search, redirectUri))
}

const cookieOf = (config: Config) => defineHostCookie(config, 'oauth_juntas')
