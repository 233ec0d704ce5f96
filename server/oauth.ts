/**
 * OpenID Connect with the providers the operator configured: discovery, PKCE, nonce, issuer and audience are checked by
 * openid-client, which is loaded with the first sign-in. Every address comes from the provider's own discovery document,
 * never from a request (security reference §5.7).
 */
import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import type { Config, OAuthProvider } from './config.ts'
import { Failure, fail } from './errors.ts'
import { isLoopbackName } from './origins.ts'

/** Whom a provider says somebody is. */
export type ProvenPerson = { subject: string; email: string | null; name: string }

/** One sign-in on its way: `state` travels through the provider, `browser` stays in the browser that began it. */
export type Attempt = { redirectUri: string; state: string; browser: string }

export type OAuth = {
  /** Null when no such provider is configured. */
  provider(name: string): {
    /** @returns where to send the browser. @throws Failure 424 when the provider is away */
    begin(attempt: Attempt, scopes: readonly string[]): Promise<URL>
    /**
     * @param callback the whole address the provider sent the browser back to
     * @throws Failure 401 when the provider refuses, 424 when it is away
     */
    finish(attempt: Attempt, callback: URL): Promise<ProvenPerson>
  } | null
}

const timeoutSeconds = 10

export function createOAuth(config: Config): OAuth {
  const discovered = new Map<string, Promise<Configuration>>()
  const discover = (provider: OAuthProvider) => {
    const known = discovered.get(provider.name) ?? discoverProvider(provider, config)
    discovered.set(provider.name, known)
    known.catch(() => discovered.delete(provider.name))
    return known
  }

  return {
    provider(name) {
      const provider = config.oauth.find((each) => each.name === name)
      if (!provider) return null
      return {
        async begin(attempt, scopes) {
          const client = await import('openid-client')
          const configuration = await orAway(discover(provider))
          return client.buildAuthorizationUrl(configuration, {
            redirect_uri: attempt.redirectUri,
            response_type: 'code',
            scope: [...new Set(['openid', 'email', 'profile', ...scopes])].join(' '),
            state: attempt.state,
            nonce: nonceOf(attempt),
            code_challenge: await client.calculatePKCECodeChallenge(attempt.browser),
            code_challenge_method: 'S256',
          })
        },
        async finish(attempt, callback) {
          const client = await import('openid-client')
          const configuration = await orAway(discover(provider))
          try {
            const tokens = await client.authorizationCodeGrant(configuration, callback, {
              pkceCodeVerifier: attempt.browser,
              expectedState: attempt.state,
              expectedNonce: nonceOf(attempt),
              idTokenExpected: true,
            })
            const claims = tokens.claims()
            if (!claims) return fail('user_oauth2_unauthorized')
            const told =
              claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
                ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
                : {}
            return personOf({ ...claims, ...told })
          } catch (error) {
            throw asRefusal(error)
          }
        },
      }
    },
  }
}

async function discoverProvider(
  { issuer, id, secret }: OAuthProvider,
  config: Config,
): Promise<Configuration> {
  const client = await import('openid-client')
  const url = new URL(issuer)
  // A provider on this very machine, as in development: everywhere else https is demanded.
  const plain = url.protocol === 'http:' && isLoopbackName(url.hostname) && !config.production
  return client.discovery(url, id, secret, undefined, {
    timeout: timeoutSeconds,
    execute: plain ? [client.allowInsecureRequests] : [],
  })
}

/** Bound to the browser like the rest, and told to the provider: so a hash of it. */
const nonceOf = ({ browser, state }: Attempt) =>
  createHash('sha256').update(`nonce:${state}:${browser}`).digest('base64url')

function personOf(claims: Record<string, unknown>): ProvenPerson {
  const text = (value: unknown, longest: number) => (typeof value === 'string' ? value.slice(0, longest) : '')
  const verified = claims.email_verified === true || claims.email_verified === 'true'
  return {
    subject: text(claims.sub, 256),
    // An address the provider has not verified proves nothing (security reference S05).
    email: verified ? text(claims.email, 254).trim().toLowerCase() || null : null,
    name: text(claims.name, 128).trim(),
  }
}

const orAway = <T>(waiting: Promise<T>): Promise<T> =>
  waiting.catch((error) => {
    throw new Failure('user_oauth2_provider_error', { cause: error })
  })

function asRefusal(error: unknown): Failure {
  if (error instanceof Failure) return error
  const name = error instanceof Error ? error.name : ''
  const away = name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed')
  return new Failure(away ? 'user_oauth2_provider_error' : 'user_oauth2_unauthorized', { cause: error })
}
