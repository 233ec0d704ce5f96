import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defaultCommunityName, getCommunityLogoPath } from '#contract/community/community-name-and-logo.ts'
import { fileInLanguageSet, type LanguageSet, languageSets } from '#contract/language.ts'
import { listPagePrefetchPaths, memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'
import { isAppPage } from '#contract/screen-routes.ts'
import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import {
  type CommunityIdentity,
  type CommunityIdentityCache,
  isDefaultIdentity,
} from './community-identity.ts'
import { escapeHtml } from './escape-html.ts'
import { streamHomePage } from './home-page.ts'
import { createPageResponsesReader, type PageResponsesReader } from './page-responses.ts'
import { readLanguageCookie, resolveLanguageSet, setLanguageCookie } from './request-language.ts'
import { publicRouteMetadata, type RouteMetadata } from './route-metadata.ts'
import { heifWorkerSecurityPolicy } from './security-headers.ts'

const buildFolder = join(import.meta.dirname, '..', '..', 'dist', 'web')

const publicFileMetadata: RouteMetadata = {
  ...publicRouteMetadata,
  authenticates: false,
  cache: 'as it says',
}

/** Unknown paths are answered with a page, 405 or 404. Without a build there are no pages. */
export async function registerStaticWebRoutes(
  app: FastifyInstance,
  config: Config,
  methodsAt: (path: string) => string[],
  identity: CommunityIdentityCache,
): Promise<void> {
  const isBuilt = existsSync(join(buildFolder, 'index.html'))
  if (isBuilt) {
    const builtFiles = new Set(listBuiltFiles('.').map((path) => `/${path}`))
    // Other plugins that are still loading add their routes at the same time.
    app.addHook('onRoute', (route) => {
      if (builtFiles.has(route.url)) route.config = { ...publicFileMetadata, ...route.config }
    })
    await app.register(fastifyStatic, {
      root: buildFolder,
      wildcard: false,
      index: false,
      // Compressed files need no routes, because they are sent in place of their originals.
      globIgnore: [
        'index.*',
        'home-splash.html',
        'manifest.webmanifest',
        '.vite/**',
        'assets/**',
        '**/*.br',
        '**/*.gz',
      ],
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
    registerManifestRoute(app, identity)
  }
  const recovers = !config.production || config.smtpUrl !== undefined || config.contact !== undefined
  const modulePreloads = isBuilt ? memberModulePreloads() : new Map<LanguageSet, string[]>()
  const homeResponses = createPageResponsesReader(app)
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const allowed = methodsAt(pathOf(request))
    if (allowed.length === 0) throw new Failure('general_route_not_found')
    reply.header('allow', allowed.join(', '))
    throw new Failure('general_method_not_allowed')
  }
  // The hook runs before the body is read, because unknown routes have no rate limit.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || isRead(request)) return
    // The service worker handles shared content. If none runs, the server redirects without reading the content.
    if (request.method === 'POST' && pathOf(request) === '/share') return reply.redirect('/create-post', 303)
    refuse(request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPageRequest(request))
      return sendPage(request, reply, { config, modulePreloads, recovers, identity, homeResponses })
    return refuse(request, reply)
  })
}

const listBuiltFiles = (folder: string): string[] =>
  readdirSync(join(buildFolder, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll(sep, '/'),
  )

/** A route for each asset took a sixth of the start time. */
function registerAssetRoute(app: FastifyInstance): void {
  const assets = new Set(listBuiltFiles('assets').filter((path) => !/\.(br|gz)$/.test(path)))
  app.get<{ Params: { '*': string } }>('/assets/*', { config: publicFileMetadata }, (request, reply) => {
    const path = request.params['*']
    if (!assets.has(path)) throw new Failure('general_route_not_found')
    return reply.sendFile(`assets/${path}`)
  })
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? ''

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

const isPageRequest = (request: FastifyRequest) => isRead(request) && isAppPage(pathOf(request))

/**
 * The page's `Link` headers preload a member's code and data (decision 0103), or Home's page carries its data
 * (decision 0234). They differ by caller and a 304 would keep old ones, so the page has no validators.
 */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    config,
    modulePreloads,
    recovers,
    identity,
    homeResponses,
  }: {
    config: Config
    modulePreloads: ReadonlyMap<LanguageSet, readonly string[]>
    recovers: boolean
    identity: CommunityIdentityCache
    homeResponses: PageResponsesReader
  },
): Promise<FastifyReply> {
  const set = resolveLanguageSet(request, config)
  const chosen = request.caller?.account.language
  // The cookie makes this browser's sign-in page use the member's language.
  if (chosen && chosen !== readLanguageCookie(request)) setLanguageCookie(request, reply, config, chosen)
  reply.header('vary', 'Cookie, Accept-Language, Sec-Fetch-Dest')
  const containsResponses = homeResponses.wants(request)
  if (request.caller?.member) {
    reply.header(
      'link',
      [
        ...(modulePreloads.get(set) ?? []),
        ...(containsResponses ? [] : responsePreloads(pathOf(request))),
      ].join(', '),
    )
  }
  // Scripts can read these flags, but not the session cookie, to prefetch the page's data.
  const flags = [
    ...(request.caller?.member ? ['member'] : recovers ? [] : ['no-recovery']),
    ...(config.oauth.length > 0 ? [`providers;desc="${config.oauth.length}"`] : []),
  ]
  if (flags.length > 0) reply.header('server-timing', flags.join(', '))
  const file = set === 'as-it-comes' ? 'index.html' : `index.${set}.html`
  const shown = await identity.read()
  if (containsResponses) {
    const splash = readBuilt('home-splash.html')
    const page = isDefaultIdentity(shown) ? readBuilt(file) : renderPage(file, shown)
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'private, no-store', 'x-accel-buffering': 'no' })
      .send(streamHomePage(page, splash, () => homeResponses.read(request)))
  }
  if (!isDefaultIdentity(shown)) return reply.type('text/html; charset=utf-8').send(renderPage(file, shown))
  return reply.sendFile(file, {
    etag: false,
    lastModified: false,
  })
}

const readBuilt = (file: string) => readFileSync(join(buildFolder, file), 'utf8')

/** The first paint shows the community's name and appearance. */
function renderPage(file: string, { name, accent, logo }: CommunityIdentity): string {
  const attributes = Object.entries({ community: name, accent, logo }).flatMap(([key, value]) =>
    value === null ? [] : ` data-${key}="${escapeHtml(value)}"`,
  )
  const icon = logo && getCommunityLogoPath(logo)
  const page = readBuilt(file)
    .replaceAll(defaultCommunityName, () => escapeHtml(name))
    .replace('<html ', () => `<html${attributes.join('')} `)
  return icon
    ? page
        .replace('href="/favicon.svg" type="image/svg+xml"', () => `href="${icon}" type="image/png"`)
        .replace('href="/apple-touch-icon.png"', () => `href="${icon}"`)
    : page
}

type WebManifest = { name: string; short_name: string; icons: object[]; shortcuts: { icons: object[] }[] }

/** A logo has no safe margin, so it is not maskable. */
function registerManifestRoute(app: FastifyInstance, identity: CommunityIdentityCache): void {
  const built = JSON.parse(readFileSync(join(buildFolder, 'manifest.webmanifest'), 'utf8')) as WebManifest
  app.get('/manifest.webmanifest', { config: publicFileMetadata }, async (_request, reply) => {
    const { name, logo } = await identity.read()
    const iconOf = (version: string, size: 192 | 512) => ({
      src: `${getCommunityLogoPath(version)}?size=${size}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
    })
    return reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(
        JSON.stringify({
          ...built,
          name,
          short_name: name,
          ...(logo && {
            icons: [iconOf(logo, 192), iconOf(logo, 512)],
            shortcuts: built.shortcuts.map((shortcut) => ({ ...shortcut, icons: [iconOf(logo, 192)] })),
          }),
        }),
      )
  })
}

/** The URLs must equal those of the requests, because browsers ignore other preloads. */
const responsePreloads = (pathname: string): string[] =>
  [sessionPrefetchPath, memberPrefetchPath, ...listPagePrefetchPaths(pathname)].map(
    (address) => `</v1${address}>; rel=preload; as=fetch; crossorigin=use-credentials`,
  )

type Manifest = Record<string, { file: string; imports?: string[] }>

/** Returns the scripts that every member page needs, by language set. */
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
