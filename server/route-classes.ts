/**
 * What every route says of itself. One that leaves something out stops the start: else the day comes when somebody adds an
 * address that nobody may be refused at, counts at, or is told not to keep (security reference §7.11).
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { CannotStart } from './cannot-start.ts'
import type { AnyLimitClass } from './limits.ts'

export type RouteClasses = {
  /** Who may ask at all; others get 401. */
  who: 'visitor' | 'account' | 'member'
  /** Where its input gets its shape: the contract's schema, the dialect's parameters, or there is none. */
  input: 'contract' | 'parameters' | 'none'
  /** What a call may be counted as; nothing where it costs nothing. */
  limit: readonly AnyLimitClass[]
  /** Never kept by any cache, or as the answer itself says (reading W-06). */
  cache: 'never' | 'as it says'
  /** Each request has its lines, or failures alone. */
  log: 'each' | 'failures'
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteClasses> {}
}

/** What takes nothing, tells nothing of anybody and costs nothing. */
export const forAnybody: RouteClasses = {
  who: 'visitor',
  input: 'none',
  limit: [],
  cache: 'never',
  log: 'each',
}

/** What a member reads at the dialect's door. */
export const forMembers: RouteClasses = {
  who: 'member',
  input: 'parameters',
  limit: ['read'],
  cache: 'never',
  log: 'each',
}

const demanded = ['who', 'input', 'limit', 'cache', 'log'] as const satisfies (keyof RouteClasses)[]

/** Every route of a server: a test holds each to what it says. */
export const routesOf = new WeakMap<FastifyInstance, readonly RouteOptions[]>()

/** Holds every route added from now on to what it says, and the start to all of them saying it. */
export function demandClasses(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  routesOf.set(app, routes)
  app.addHook('onRoute', (route) => {
    routes.push(route)
    if (route.config?.log === 'failures') route.logLevel = 'warn'
  })
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const missing = demanded.filter((name) => config?.[name] === undefined)
      if (missing.length > 0) throw new CannotStart(`${method} ${url} does not say: ${missing.join(', ')}.`)
    }
  })
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    const { cache } = routeOptions.config
    if (cache === 'never' || !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
