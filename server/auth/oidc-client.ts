/**
 * The openid-client library checks discovery, PKCE, nonce, issuer and audience. Every address comes from the
 * provider's discovery document, so no request can choose an address for the server to fetch.
 */
import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import type { Config, OAuthProvider } from '../config.ts'
import { Failure, throwFailure } from '../errors.ts'
import { isLoopbackName } from '../loopback-name.ts'

export type OidcProfile = { issuer: string; subject: string; email: string | null; name: string }

/** `state` passes through the provider, and `browserSecret` stays in a cookie. */
export type OidcAuthorizationRequest = { redirectUri: string; state: string; browserSecret: string }

export type OidcClient = {
  provider(name: string): {
    authorizationUrl(attempt: OidcAuthorizationRequest, scopes: readonly string[]): Promise<URL>
    /**
     * @param callback the full address
     * @throws Failure 401 if the provider refuses, 403 if the member refuses, 424 if the provider does not
     * answer
     */
    exchangeCode(attempt: OidcAuthorizationRequest, callback: URL): Promise<OidcProfile>
  } | null
}

const timeoutSeconds = 10

export function createOidcClient(config: Config): OidcClient {
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
        async authorizationUrl(attempt, scopes) {
          const client = await import('openid-client')
          const configuration = await mapProviderError(discover(provider))
          return client.buildAuthorizationUrl(configuration, {
            redirect_uri: attempt.redirectUri,
            response_type: 'code',
            scope: [...new Set(['openid', 'email', 'profile', ...scopes])].join(' '),
            state: attempt.state,
            nonce: nonceFor(attempt),
            code_challenge: await client.calculatePKCECodeChallenge(attempt.browserSecret),
            code_challenge_method: 'S256',
          })
        },
        async exchangeCode(attempt, callback) {
          const client = await import('openid-client')
          const configuration = await mapProviderError(discover(provider))
          try {
            const tokens = await client.authorizationCodeGrant(configuration, callback, {
              pkceCodeVerifier: attempt.browserSecret,
              expectedState: attempt.state,
              expectedNonce: nonceFor(attempt),
              idTokenExpected: true,
            })
            const claims = tokens.claims()
            if (!claims) return throwFailure('user_oauth2_unauthorized')
            const userInfo =
              claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
                ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
                : {}
            return { issuer: provider.issuer, ...toProfile({ ...claims, ...userInfo }) }
          } catch (error) {
            throw toCallbackFailure(error)
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
  // Allowed only for a local provider in development.
  const allowHttp = url.protocol === 'http:' && isLoopbackName(url.hostname) && !config.production
  return client.discovery(url, id, secret, undefined, {
    timeout: timeoutSeconds,
    execute: allowHttp ? [client.allowInsecureRequests] : [],
  })
}

/** The provider sees the nonce, so the nonce is a hash of the secret. */
const nonceFor = ({ browserSecret, state }: OidcAuthorizationRequest) =>
  createHash('sha256').update(`nonce:${state}:${browserSecret}`).digest('base64url')

function toProfile(claims: Record<string, unknown>): Omit<OidcProfile, 'issuer'> {
  const text = (value: unknown, maxLength: number) =>
    typeof value === 'string' ? value.slice(0, maxLength) : ''
  const verified = claims.email_verified === true || claims.email_verified === 'true'
  return {
    subject: text(claims.sub, 256),
    // An unverified address could belong to anybody.
    email: verified ? text(claims.email, 254).trim().toLowerCase() || null : null,
    name: text(claims.name, 128).trim(),
  }
}

const mapProviderError = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error) => {
    throw new Failure('user_oauth2_provider_error', { cause: error })
  })

function toCallbackFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const name = error instanceof Error ? error.name : ''
  // The member cancelled at the provider (RFC 6749 §4.1.2.1).
  if (error instanceof Error && 'error' in error && error.error === 'access_denied')
    return new Failure('user_oauth2_denied', { cause: error })
  const unreachable =
    name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed')
  return new Failure(unreachable ? 'user_oauth2_provider_error' : 'user_oauth2_unauthorized', {
    cause: error,
  })
}
