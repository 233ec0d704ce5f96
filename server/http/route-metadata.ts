/**
 * The server does not start if a route has no metadata, so no route is left unguarded by mistake (decision
 * 0042).
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { StartupError } from '../startup-error.ts'
import type { AnyRateLimitClass } from './rate-limits.ts'

export type RouteMetadata = {
  /** contract/operation.ts explains the values. */
  who: 'visitor' | 'account' | 'member' | 'operator'
  allowsPending?: boolean
  allowsClosing?: boolean
  /** `false` if the response is the same for every caller: the session is not read from the database. */
  authenticates?: false
  /** `parameters` means the Appwrite API's parameters. */
  input: 'contract' | 'parameters' | 'none'
  /** The list is empty for cheap routes. */
  limit: readonly AnyRateLimitClass[]
  /** `never` sends `no-store`. */
  cache: 'never' | 'as it says'
  log: 'each' | 'failures'
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteMetadata> {}
}

/** These routes have no input, member data or cost. */
export const publicRouteMetadata: RouteMetadata = {
  who: 'visitor',
  input: 'none',
  limit: [],
  cache: 'never',
  log: 'each',
}

const requiredFields = ['who', 'input', 'limit', 'cache', 'log'] as const satisfies (keyof RouteMetadata)[]

export const isWriting = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)

export const registeredRoutesByApp = new WeakMap<FastifyInstance, readonly RouteOptions[]>()

/** Applies to routes that are added afterwards. */
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
      if (config?.authenticates === false && config.who !== 'visitor') missing.push('visitor')
      if (missing.length > 0) throw new StartupError(`${method} ${url} does not say: ${missing.join(', ')}.`)
    }
  })
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    const { cache } = routeOptions.config
    if (cache === 'never' || !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}
