/**
 * Requires each route to declare caller, validation, rate limit, caching and logging. A missing declaration
 * stops the start, so that no route is unguarded by oversight (decision 0042).
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { StartupError } from '../startup-error.ts'
import type { AnyRateLimitClass } from './rate-limits.ts'

export type RouteMetadata = {
  /** Others get 401. */
  who: 'visitor' | 'account' | 'member'
  /** Whether a session waiting for its second step may call. */
  allowsPending?: boolean
  /** Whether a session of an account being deleted may call. */
  allowsClosing?: boolean
  /** The contract's schema, the Appwrite API's parameters, or no input. */
  input: 'contract' | 'parameters' | 'none'
  /** Classes that a call may count in; none for cheap routes. */
  limit: readonly AnyRateLimitClass[]
  /** `no-store`, or set by the response. */
  cache: 'never' | 'as it says'
  /** Whether to log every request or only failures. */
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

/** A server's routes, which a test checks against their metadata. */
export const registeredRoutesByApp = new WeakMap<FastifyInstance, readonly RouteOptions[]>()

/** Applies metadata to routes added afterwards; fails the start if any is missing. */
export function requireRouteMetadata(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  registeredRoutesByApp.set(app, routes)
  app.addHook('onRoute', (route) => {
    routes.push(route)
    if (route.config?.log === 'failures') route.logLevel = 'warn'
  })
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const missing = requiredFields.filter((name) => config?.[name] === undefined)
      if (missing.length > 0) throw new StartupError(`${method} ${url} does not say: ${missing.join(', ')}.`)
    }
  })
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    const { cache } = routeOptions.config
    if (cache === 'never' || !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
