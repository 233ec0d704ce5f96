/**
 * While online, pages come from the server with preload headers (decision 0103). The worker uses the cached page only
 * if the server's page is missing or slow.
 */
import { fileInLanguageSet, languageSets } from '#contract/language.ts'
import { isAppPage } from '#contract/screen-routes.ts'
import { appCachePrefix } from './clear-member-data.ts'
import { readCommunityAttributes, readCommunityName } from './community-in-page.ts'
import { pagesAwaitingServer } from './pages-awaiting-server.ts'
import { type FetchEvent, worker } from './worker-scope.ts'

/** The build replaces these values. */
declare const build: {
  /** The version differs after a change of any file. */
  version: string
  entry: string
  /** Every page needs these files, in addition to those that its HTML names. */
  first: readonly string[]
  later: readonly string[]
}

const { version, entry, first, later } = build
const cacheName = appCachePrefix + version
const pageAddress = '/'
const maxPageWaitMs = 800

worker.addEventListener('install', (event) => event.waitUntil(keepAppFiles()))

/** @throws if a file is missing or the server has another version; the browser then retries later */
async function keepAppFiles(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  const cache = await caches.open(cacheName)
  // The cookie decides the language set of the page.
  const page = await fetch(pageAddress, { cache: 'no-store' })
  const html = await page.clone().text()
  const set = languageSets.find((one) => html.includes(fileInLanguageSet(entry, one)))
  if (!page.ok || !set) throw new Error('The server has another version than this worker')
  await cache.put(pageAddress, new Response(html, { headers: cachedPageHeaders(page) }))
  // Build files never change, so the browser's cache already has those that the page loaded.
  const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address = '']) => address)
  const others = connection?.saveData ? first : [...first, ...later]
  const inSet = others.map((file) => (file.endsWith('.js') ? fileInLanguageSet(file, set) : file))
  await cache.addAll([...new Set([...named, ...inSet])])
}

function cachedPageHeaders(page: Response): Headers {
  const headers = new Headers(page.headers)
  headers.set('server-timing', 'from-device')
  headers.delete('content-encoding')
  return headers
}

worker.addEventListener('activate', (event) => event.waitUntil(startServing()))

async function startServing(): Promise<void> {
  await worker.registration.navigationPreload?.enable()
  // Keeps the previous version's files, because its pages may still be open.
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
  event.waitUntil(answer.then((page) => keepNewIdentity(page.clone(), kept.clone())).catch(() => {}))
  const late = new Promise<void>((resolve) => setTimeout(resolve, maxPageWaitMs))
  const first = await Promise.race([answer.catch(() => {}), late])
  if (first) return first
  pagesAwaitingServer.add(resultingClientId)
  return kept
}

/** After the operator renames the community, the cached page would show its former name until the next deployment. */
async function keepNewIdentity(page: Response, kept: Response): Promise<void> {
  if (!page.ok) return
  const [shown, cached] = await Promise.all([page.text(), kept.text()])
  if (readCommunityAttributes(shown) !== readCommunityAttributes(cached)) await keepAppFiles()
}

export async function readCachedCommunityName(): Promise<string | undefined> {
  const page = await (await caches.open(cacheName)).match(pageAddress)
  return page && readCommunityName(await page.text())
}

/** Names contain content hashes, so cached files are current. */
const findFile = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
