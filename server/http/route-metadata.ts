/**
 * Requires each route to declare its caller, validation, rate limit, caching and logging. If a declaration is
 * missing, the server does not start. No route can therefore be left unguarded by mistake (decision 0042).
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { StartupError } from '../startup-error.ts'
import type { AnyRateLimitClass } from './rate-limits.ts'

export type RouteMetadata = {
  /**
   * The caller that the route requires. Other callers get 401. For `operator`, members get 404, and changes require a
   * recent re-authentication.
   */
  who: 'visitor' | 'account' | 'member' | 'operator'
  /** Whether a session waiting for its second step may call. */
  allowsPending?: boolean
  /** Whether a session of an account being deleted may call. */
  allowsClosing?: boolean
  /** The contract's schema, the Appwrite API's parameters, or no input. */
  input: 'contract' | 'parameters' | 'none'
  /** The classes in which a call may count. Empty for cheap routes. */
  limit: readonly AnyRateLimitClass[]
  /** `never` sends `no-store`; otherwise the handler sets the caching. */
  cache: 'never' | 'as it says'
  /** Whether to log every request or only failures. */
  log: 'each' | 'failures'
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteMetadata> {}
}

/** The metadata of routes without input, member data or cost. */
export const publicRouteMetadata: RouteMetadata = {
  who: 'visitor',
  input: 'none',
  limit: [],
  cache: 'never',
  log: 'each',
}

const requiredFields = ['who', 'input', 'limit', 'cache', 'log'] as const satisfies (keyof RouteMetadata)[]

/** Whether requests of this method may change something. */
export const isWriting = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** The routes of a server. A test checks them against their metadata. */
export const registeredRoutesByApp = new WeakMap<FastifyInstance, readonly RouteOptions[]>()

/** Applies metadata to routes added afterwards. The start fails if any is missing. */
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
