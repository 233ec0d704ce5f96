/** The built web app: its page for every address that is not the API's, its assets immutable (reading W-06). */
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountAddress, askedFirst, memberAddress } from '#contract/ahead.ts'
import { Failure } from './errors.ts'
import { forAnybody } from './route-classes.ts'

const built = join(import.meta.dirname, '..', 'dist', 'web')

/** Their addresses are never a page of the app. */
const notPages = /^\/(v1|dev|assets|health|metrics)(\/|$)/

/** The address of a file; ids and the names of pages have no dot. */
const aFile = /\.[^/]*$/

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
      index: false,
      // What is compressed is sent in the place of what it was made of, and needs no address: each is two routes at every start.
      globIgnore: ['index.html*', '.vite/**', '**/*.br', '**/*.gz'],
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const hashed = path.includes(`${sep}assets${sep}`)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  const code = isBuilt ? memberCode() : []
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPage(request)) return sendPage(request, reply, code)
    const offered = methodsAt(pathOf(request))
    if (offered.length === 0) throw new Failure('general_route_not_found')
    reply.header('allow', offered.join(', '))
    throw new Failure('general_method_not_allowed')
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

const isPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !notPages.test(pathOf(request)) &&
  !aFile.test(pathOf(request))

/**
 * The page, with what a member's page needs first named beside it: the browser asks for that before any script has run.
 * It differs by who asks, and a browser that revalidated an older one would keep its headers: so it is always sent whole.
 */
function sendPage(request: FastifyRequest, reply: FastifyReply, code: readonly string[]): FastifyReply {
  reply.header('vary', 'Cookie')
  if (request.caller?.member) reply.header('link', [...code, ...firstAnswers(pathOf(request))].join(', '))
  return reply.sendFile('index.html', { etag: false, lastModified: false })
}

/** As the web's `fetch` asks for them: a browser takes an answer that it has ahead only for the very same request. */
const firstAnswers = (pathname: string): string[] =>
  [accountAddress, memberAddress, ...askedFirst(pathname)].map(
    (address) => `</v1${address}>; rel=preload; as=fetch; crossorigin=use-credentials`,
  )

type Manifest = Record<string, { file: string; imports?: string[] }>

/** The scripts that every page of a member needs beyond those that the page itself names. */
function memberCode(): string[] {
  const manifest = JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const page = readFileSync(join(built, 'index.html'), 'utf8')
  const member = Object.keys(manifest).find((key) => key.startsWith('_member-')) ?? ''
  return [member, ...(manifest[member]?.imports ?? [])]
    .flatMap((key) => manifest[key]?.file ?? [])
    .filter((file) => !page.includes(file))
    .map((file) => `</${file}>; rel=modulepreload`)
}
