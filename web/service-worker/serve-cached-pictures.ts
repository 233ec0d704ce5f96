/**
 * Serves cached pictures while offline. Online, every picture comes from the server, because access can end
 * at any time (decision 0143).
 */
import { offlineCacheName } from './offline-cache-names.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (navigator.onLine || request.method !== 'GET' || origin !== worker.location.origin) return
  if (/^\/v1\/files\/\w+\/content$/.test(pathname)) event.respondWith(findPicture(request))
})

/** One cached width serves all. */
const findPicture = async (request: Request): Promise<Response> =>
  (await (await caches.open(offlineCacheName)).match(request, { ignoreSearch: true, ignoreVary: true })) ??
  fetch(request)
