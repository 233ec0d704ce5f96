/**
 * Caches the app's page and files for offline use. Online, every page comes from the server with its preload
 * headers (decision 0103); the cached page only replaces a missing answer.
 */
import { fileInLanguageSet, languageSets } from '#contract/language.ts'
import { isAppPage } from '#contract/screen-routes.ts'
import { appCachePrefix } from './clear-member-data.ts'
import { worker } from './worker-scope.ts'

/** Written by the build. */
declare const build: {
  /** Changes with any file. */
  version: string
  /** The page's entry script. */
  entry: string
  /** Files every page needs, beyond those the page names. */
  first: readonly string[]
  /** Other scripts and styles. */
  later: readonly string[]
}

const { version, entry, first, later } = build
const cacheName = appCachePrefix + version
const pageAddress = '/'

worker.addEventListener('install', (event) => event.waitUntil(keepAppFiles()))

/** @throws if a file is missing or the page has another version: the browser retries installing later */
async function keepAppFiles(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  const cache = await caches.open(cacheName)
  // One page per language set, without member data: the cookie chooses the set.
  const page = await fetch(pageAddress, { cache: 'no-store' })
  const html = await page.clone().text()
  const set = languageSets.find((one) => html.includes(fileInLanguageSet(entry, one)))
  if (!page.ok || !set) throw new Error('The server has another version than this worker')
  await cache.put(pageAddress, page)
  // Build files are immutable: the browser's cache already has those the page loaded.
  const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address = '']) => address)
  const others = connection?.saveData ? first : [...first, ...later]
  const inSet = others.map((file) => (file.endsWith('.js') ? fileInLanguageSet(file, set) : file))
  await cache.addAll([...new Set([...named, ...inSet])])
}

worker.addEventListener('activate', (event) => event.waitUntil(startServing()))

async function startServing(): Promise<void> {
  await worker.registration.navigationPreload?.enable()
  // Keeps the previous version, whose pages may still be open; an older page reports a new version itself.
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

async function findPage({
  request,
  preloadResponse,
}: {
  request: Request
  preloadResponse: Promise<Response | undefined>
}) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const kept = await (await caches.open(cacheName)).match(pageAddress)
    if (kept) return kept
    throw error
  }
}

/** Names contain content hashes, so a cached file is current. A missing one gives the server's 404. */
const findFile = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
