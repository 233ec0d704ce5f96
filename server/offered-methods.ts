/** Which methods an address offers, so that another one is refused as such (RFC 9110 §15.5.6) and not as an unknown address. */
import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies HTTPMethod[]

/**
 * Notes every route that is added from now on.
 * @returns the methods offered at a path, OPTIONS apart, which is answered everywhere
 */
export function noteMethods(app: FastifyInstance): (path: string) => HTTPMethod[] {
  const routes = findMyWay()
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) {
      const known = methods.find((offered) => offered === each)
      if (known && !routes.hasRoute(known, url)) routes.on(known, url, () => {})
    }
  })
  return (path) => methods.filter((method) => routes.find(method, path) !== null)
}
