/** Which methods an address offers, so that another one is refused as such (RFC 9110 §15.5.6) and not as an unknown address. */
import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethod[]

/**
 * Notes every route that is added from now on. Few addresses are ever asked for in vain, so they are put in order with the
 * first one, and not at every start.
 * @returns the methods offered at a path, OPTIONS apart, which is answered everywhere
 */
export function noteMethods(app: FastifyInstance): (path: string) => HTTPMethod[] {
  const noted: { method: HTTPMethod; url: string }[] = []
  app.addHook('onRoute', (route) => {
    for (const method of methods) {
      if ([route.method].flat().includes(method)) noted.push({ method, url: route.url })
    }
  })
  const order = () => {
    const routes = findMyWay()
    for (const { method, url } of noted) if (!routes.hasRoute(method, url)) routes.on(method, url, () => {})
    return routes
  }
  let ordered: ReturnType<typeof order> | undefined
  return (path) => {
    ordered ??= order()
    const routes = ordered
    return methods.filter((method) => routes.find(method, path) !== null)
  }
}
