/** Serves the web app: its page for app paths, and immutable hashed assets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileInLanguageSet, type LanguageSet, languageSets } from '#contract/language.ts'
import { listPagePrefetchPaths, memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'
import { isAppPage } from '#contract/screen-routes.ts'
import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import { readLanguageCookie, resolveLanguageSet, setLanguageCookie } from './request-language.ts'
import { publicRouteMetadata } from './route-metadata.ts'
import { heifWorkerSecurityPolicy } from './security-headers.ts'

const buildFolder = join(import.meta.dirname, '..', '..', 'dist', 'web')

/**
 * Registers files and the not-found handler: pages, 405 and 404. Without a build there are no pages.
 * @param methodsAt the methods allowed at a path
 */
export async function registerStaticWebRoutes(
  app: FastifyInstance,
  config: Config,
  methodsAt: (path: string) => string[],
): Promise<void> {
  const isBuilt = existsSync(join(buildFolder, 'index.html'))
  if (isBuilt) {
    app.addHook('onRoute', (route) => {
      route.config = { ...publicRouteMetadata, cache: 'as it says', ...route.config }
    })
    await app.register(fastifyStatic, {
      root: buildFolder,
      wildcard: false,
      index: false,
      // Compressed files replace their originals.
      globIgnore: ['index.*', '.vite/**', 'assets/**', '**/*.br', '**/*.gz'],
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const hashed = path.includes(`${sep}assets${sep}`)
        if (/heif-to-jpeg-worker-[\w-]+\.js/.test(path))
          reply.header('content-security-policy', heifWorkerSecurityPolicy)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    registerAssetRoute(app)
  }
  const recovers = !config.production || config.smtpUrl !== undefined || config.contact !== undefined
  const modulePreloads = isBuilt ? memberModulePreloads() : new Map<LanguageSet, string[]>()
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const allowed = methodsAt(pathOf(request))
    if (allowed.length === 0) throw new Failure('general_route_not_found')
    reply.header('allow', allowed.join(', '))
    throw new Failure('general_method_not_allowed')
  }
  // Before reading the body, because unknown routes have no rate limit.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || isRead(request)) return
    // The service worker takes shared content; without one, nothing of it is read.
    if (request.method === 'POST' && pathOf(request) === '/share') return reply.redirect('/create-post', 303)
    refuse(request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPageRequest(request))
      return sendPage(request, reply, { config, modulePreloads, recovers })
    return refuse(request, reply)
  })
}

/** One route for all assets: a route for each of five hundred took a sixth of a start. */
function registerAssetRoute(app: FastifyInstance): void {
  const files = readdirSync(join(buildFolder, 'assets'), { recursive: true, encoding: 'utf8' })
  const assets = new Set(
    files.filter((path) => !/\.(br|gz)$/.test(path)).map((path) => path.replaceAll(sep, '/')),
  )
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const path = request.params['*']
    if (!assets.has(path)) throw new Failure('general_route_not_found')
    return reply.sendFile(`assets/${path}`)
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

const isPageRequest = (request: FastifyRequest) => isRead(request) && isAppPage(pathOf(request))

/**
 * Sends the app's page. A member's has `Link` headers that preload code and data (decision 0103). They differ
 * by caller and a 304 would keep old ones, so the page has no validators.
 */
function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    config,
    modulePreloads,
    recovers,
  }: {
    config: Config
    modulePreloads: ReadonlyMap<LanguageSet, readonly string[]>
    /** Whether this instance supports password recovery. */
    recovers: boolean
  },
): FastifyReply {
  const set = resolveLanguageSet(request, config)
  const chosen = request.caller?.account.language
  // Keeps this browser's sign-in page in the member's language.
  if (chosen && chosen !== readLanguageCookie(request)) setLanguageCookie(request, reply, config, chosen)
  reply.header('vary', 'Cookie, Accept-Language')
  if (request.caller?.member) {
    reply.header('link', [...(modulePreloads.get(set) ?? []), ...answerPreloads(pathOf(request))].join(', '))
    // Scripts can read this header, unlike the cookie, and then prefetch the page's data.
    reply.header('server-timing', 'member')
  } else if (!recovers) reply.header('server-timing', 'no-recovery')
  return reply.sendFile(set === 'as-it-comes' ? 'index.html' : `index.${set}.html`, {
    etag: false,
    lastModified: false,
  })
}

/** Preload URLs must equal the web's requests, or browsers ignore them. */
const answerPreloads = (pathname: string): string[] =>
  [sessionPrefetchPath, memberPrefetchPath, ...listPagePrefetchPaths(pathname)].map(
    (address) => `</v1${address}>; rel=preload; as=fetch; crossorigin=use-credentials`,
  )

type Manifest = Record<string, { file: string; imports?: string[] }>

/** Scripts that every member page needs, by language set. */
function memberModulePreloads(): Map<LanguageSet, string[]> {
  const manifest = JSON.parse(readFileSync(join(buildFolder, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const page = readFileSync(join(buildFolder, 'index.html'), 'utf8')
  const member = Object.keys(manifest).find((key) => key.startsWith('_member-')) ?? ''
  const files = [member, ...(manifest[member]?.imports ?? [])]
    .flatMap((key) => manifest[key]?.file ?? [])
    .filter((file) => !page.includes(file))
  return new Map(
    languageSets.map((set) => [
      set,
      files.map((file) => `</${fileInLanguageSet(file, set)}>; rel=modulepreload`),
    ]),
  )
}
