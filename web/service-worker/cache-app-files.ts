/**
 * Caches the app's page and files for offline use. While online, every page comes from the server with its preload
 * headers (decision 0103). The cached page is used only if the server does not answer, or too late.
 */
import { fileInLanguageSet, languageSets } from '#contract/language.ts'
import { isAppPage } from '#contract/screen-routes.ts'
import { appCachePrefix } from './clear-member-data.ts'
import { unansweredPages } from './unanswered-pages.ts'
import { type FetchEvent, worker } from './worker-scope.ts'

/** The build fills in these values. */
declare const build: {
  /** Changes whenever any file changes. */
  version: string
  /** The page's entry script. */
  entry: string
  /** The files that every page needs, in addition to those that the page's HTML names. */
  first: readonly string[]
  /** All other scripts and styles. */
  later: readonly string[]
}

const { version, entry, first, later } = build
const cacheName = appCachePrefix + version
const pageAddress = '/'
/** Milliseconds until the cached page replaces the server's. */
const maxPageWaitMs = 800

worker.addEventListener('install', (event) => event.waitUntil(keepAppFiles()))

/**
 * Caches the page and its files. @throws if a file is missing or the server has another version; the browser then
 * retries the installation later
 */
async function keepAppFiles(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  const cache = await caches.open(cacheName)
  // There is one page for each language set, and the cookie decides which set the server sends. The page contains no
  // member data.
  const page = await fetch(pageAddress, { cache: 'no-store' })
  const html = await page.clone().text()
  const set = languageSets.find((one) => html.includes(fileInLanguageSet(entry, one)))
  if (!page.ok || !set) throw new Error('The server has another version than this worker')
  await cache.put(pageAddress, new Response(html, { headers: cachedPageHeaders(page) }))
  // Build files never change, so the browser's own cache already contains the files that the page loaded.
  const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address = '']) => address)
  const others = connection?.saveData ? first : [...first, ...later]
  const inSet = others.map((file) => (file.endsWith('.js') ? fileInLanguageSet(file, set) : file))
  await cache.addAll([...new Set([...named, ...inSet])])
}

/** Marks the page as the device's, for `hasPageFlag`. */
function cachedPageHeaders(page: Response): Headers {
  const headers = new Headers(page.headers)
  headers.set('server-timing', 'from-device')
  headers.delete('content-encoding')
  return headers
}

worker.addEventListener('activate', (event) => event.waitUntil(startServing()))

async function startServing(): Promise<void> {
  await worker.registration.navigationPreload?.enable()
  // Keeps the previous version, because its pages may still be open. Pages of older versions find out themselves that
  // there is a new version.
  const builds = (await caches.keys()).filter((name) => name.startsWith(appCachePrefix) && name !== cacheName)
  await Promise.all(builds.slice(0, -1).map((name) => caches.delete(name)))
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate' && isAppPage(pathname)) event.respondWith(findPage(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(findFile(request))
})

async function findPage(event: FetchEvent): Promise<Response> {
  const { request, preloadResponse, resultingClientId } = event
  const answer = preloadResponse.then((preloaded) => preloaded ?? fetch(request))
  event.waitUntil(answer.catch(() => {}))
  const kept = await (await caches.open(cacheName)).match(pageAddress)
  if (!kept) return answer
  const late = new Promise<void>((resolve) => setTimeout(resolve, maxPageWaitMs))
  const first = await Promise.race([answer.catch(() => {}), late])
  if (first) return first
  unansweredPages.add(resultingClientId)
  return kept
}

/**
 * The names contain hashes of the content, so a cached file is always current. If a file is not cached, the answer is
 * the server's, which may be a 404.
 */
const findFile = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
