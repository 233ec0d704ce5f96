/**
 * Requires every route to declare who may call it, how its input is validated, what it counts as, and whether it is cached
 * and logged. A route that leaves one out stops the start, so that none is added unguarded by oversight (decision 0042).
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { StartupError } from '../startup-error.ts'
import type { AnyRateLimitClass } from './rate-limits.ts'

export type RouteMetadata = {
  /** Who may call; others get 401. */
  who: 'visitor' | 'account' | 'member'
  /** Whether a session that waits for its second step may call. */
  allowsPending?: boolean
  /** Whether a session of an account that is being deleted may call. */
  allowsClosing?: boolean
  /** What validates the input: the contract's schema, the dialect's parameters, or there is no input. */
  input: 'contract' | 'parameters' | 'none'
  /** Rate-limit classes that a call may count in; none for cheap routes. */
  limit: readonly AnyRateLimitClass[]
  /** `no-store`, or what the response itself sets. */
  cache: 'never' | 'as it says'
  /** Whether every request is logged, or failures only. */
  log: 'each' | 'failures'
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteMetadata> {}
}

/** Metadata of a route without input, members' data or cost. */
export const publicRouteMetadata: RouteMetadata = {
  who: 'visitor',
  input: 'none',
  limit: [],
  cache: 'never',
  log: 'each',
}

const requiredFields = ['who', 'input', 'limit', 'cache', 'log'] as const satisfies (keyof RouteMetadata)[]

/** The routes of a server: a test checks each against its metadata. */
export const registeredRoutesByApp = new WeakMap<FastifyInstance, readonly RouteOptions[]>()

/** Applies the metadata of every route added from now on, and fails the start when one lacks any. */
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
