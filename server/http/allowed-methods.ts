import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethod[]

/**
 * A wrong method gets 405 with `Allow` (RFC 9110 §15.5.6) instead of 404. The table is built on first use, to
 * keep starts fast. OPTIONS works everywhere.
 */
export function trackAllowedMethods(app: FastifyInstance): (path: string) => HTTPMethod[] {
  const routes: { method: HTTPMethod; url: string }[] = []
  app.addHook('onRoute', (route) => {
    for (const method of methods) {
      if ([route.method].flat().includes(method)) routes.push({ method, url: route.url })
    }
  })
  const buildRouter = () => {
    const built = findMyWay()
    for (const { method, url } of routes) if (!built.hasRoute(method, url)) built.on(method, url, () => {})
    return built
  }
  let router: ReturnType<typeof buildRouter> | undefined
  return (path) => {
    router ??= buildRouter()
    const routes = router
    return methods.filter((method) => routes.find(method, path) !== null)
  }
}
