/**
 * Serves pictures only while the server does not answer, because a member may lose access at any time
 * (decision 0143).
 */
import { offlineCacheName } from './offline-cache-names.ts'
import { pagesAwaitingServer } from './pages-awaiting-server.ts'
import { type FetchEvent, worker } from './worker-scope.ts'

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (isAnswered(event) || request.method !== 'GET' || origin !== worker.location.origin) return
  if (/^\/v1\/files\/\w+\/content$/.test(pathname)) event.respondWith(findPicture(request))
})

const isAnswered = ({ clientId }: FetchEvent) => navigator.onLine && !pagesAwaitingServer.has(clientId)

/** Ignores the search string, so one cached width serves all others. */
const findPicture = async (request: Request): Promise<Response> =>
  (await (await caches.open(offlineCacheName)).match(request, { ignoreSearch: true, ignoreVary: true })) ??
  fetch(request)
