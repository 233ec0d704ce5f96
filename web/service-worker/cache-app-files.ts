/**
 * Keeps the app's own page and files, so that it opens without a connection. While there is one every page comes from the server, with
 * the headers by which the browser asks for its contents (decision 0103); the kept page stands in when no answer comes.
 */
import { fileInLanguageSet, languageSets } from '#contract/language.ts'
import { isAppPage } from '#contract/screen-routes.ts'
import { appCachePrefix } from './clear-member-data.ts'
import { worker } from './worker-scope.ts'

/** What the build is made of; the build writes it. */
declare const build: {
  /** Changes with every file. */
  version: string
  /** The address of the page's own script. */
  entry: string
  /** Addresses of files without which no page opens, beside those that the page names. */
  first: readonly string[]
  /** Addresses of the other scripts and styles. */
  later: readonly string[]
}

const { version, entry, first, later } = build
const cacheName = appCachePrefix + version
const pageAddress = '/'

worker.addEventListener('install', (event) => event.waitUntil(keepAppFiles()))

/** @throws when a file is missing, or the page is another version's: the browser installs at the next chance */
async function keepAppFiles(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  const cache = await caches.open(cacheName)
  // One file for all who read the same set of texts, with nothing of the member in it: the cookie chooses the set.
  const page = await fetch(pageAddress, { cache: 'no-store' })
  const html = await page.clone().text()
  const set = languageSets.find((one) => html.includes(fileInLanguageSet(entry, one)))
  if (!page.ok || !set) throw new Error('The server has another version than this worker')
  await cache.put(pageAddress, page)
  // Files of a build never change: what the page has loaded comes out of the browser's cache.
  const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address = '']) => address)
  const others = connection?.saveData ? first : [...first, ...later]
  const inSet = others.map((file) => (file.endsWith('.js') ? fileInLanguageSet(file, set) : file))
  await cache.addAll([...new Set([...named, ...inSet])])
}

worker.addEventListener('activate', (event) => event.waitUntil(startServing()))

async function startServing(): Promise<void> {
  await worker.registration.navigationPreload?.enable()
  // A page of the version before may still be open and want its files; one that is older yet says that there is a new version.
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

/** Files of a build are named by their contents: a kept one is the one. A missing one is the server's 404. */
const findFile = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
