/**
 * Without a complete declaration the server does not start, so no route is left unguarded by mistake
 * (decision 0042).
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { StartupError } from '../startup-error.ts'
import type { AnyRateLimitClass } from './rate-limits.ts'

export type RouteMetadata = {
  /**
   * Other callers get 401. For `operator`, members get 404, and changes require a recent re-authentication.
   */
  who: 'visitor' | 'account' | 'member' | 'operator'
  /** Allows a session that waits for its second step. */
  allowsPending?: boolean
  /** Allows a session of an account being deleted. */
  allowsClosing?: boolean
  /** The contract's schema, the Appwrite API's parameters, or no input. */
  input: 'contract' | 'parameters' | 'none'
  /** The classes in which a call may count. Empty for cheap routes. */
  limit: readonly AnyRateLimitClass[]
  /** `never` sends `no-store`; otherwise the handler sets the caching. */
  cache: 'never' | 'as it says'
  log: 'each' | 'failures'
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteMetadata> {}
}

/** For routes without input, member data or cost. */
export const publicRouteMetadata: RouteMetadata = {
  who: 'visitor',
  input: 'none',
  limit: [],
  cache: 'never',
  log: 'each',
}

const requiredFields = ['who', 'input', 'limit', 'cache', 'log'] as const satisfies (keyof RouteMetadata)[]

export const isWriting = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** A test checks these against their metadata. */
export const registeredRoutesByApp = new WeakMap<FastifyInstance, readonly RouteOptions[]>()

/** Applies to routes added afterwards. @throws at the start if any metadata is missing */
export function requireRouteMetadata(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  registeredRoutesByApp.set(app, routes)
  app.addHook('onRoute', (route) => {
    routes.push(route)
    if (route.config?.log === 'failures') route.logLevel = 'warn'
  })
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const missing: string[] = requiredFields.filter((name) => config?.[name] === undefined)
      if (config?.who !== 'operator' && url.startsWith('/v1/admin/')) missing.push('operator')
      if (missing.length > 0) throw new StartupError(`${method} ${url} does not say: ${missing.join(', ')}.`)
    }
  })
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    const { cache } = routeOptions.config
    if (cache === 'never' || !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
