/** The built web app: its page for every address that is not the API's, its assets immutable (reading W-06). */
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from './errors.ts'
import { forAnybody } from './route-classes.ts'

const built = join(import.meta.dirname, '..', 'dist', 'web')

/** Their addresses are never a page of the app. */
const notPages = /^\/(v1|dev|assets|health|metrics)(\/|$)/

/**
 * Without a build (development, tests of the API) no page is found.
 * @param methodsAt the methods that an address offers
 */
export async function serveWeb(app: FastifyInstance, methodsAt: (path: string) => string[]): Promise<void> {
  const isBuilt = existsSync(join(built, 'index.html'))
  if (isBuilt) {
    app.addHook('onRoute', (route) => {
      route.config = { ...forAnybody, cache: 'as it says', ...route.config }
    })
    await app.register(fastifyStatic, {
      root: built,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const hashed = path.includes(`${sep}assets${sep}`)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPage(request)) return sendPage(reply)
    const offered = methodsAt(pathOf(request))
    if (offered.length === 0) throw new Failure('general_route_not_found')
    reply.header('allow', offered.join(', '))
    throw new Failure('general_method_not_allowed')
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

const isPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') && !notPages.test(pathOf(request))

const sendPage = (reply: FastifyReply) => reply.sendFile('index.html')
