/**
 * Serves cached pictures while the device is offline. While online, every picture comes from the server, because a
 * member may lose access at any time (decision 0143).
 */
import { offlineCacheName } from './offline-cache-names.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (navigator.onLine || request.method !== 'GET' || origin !== worker.location.origin) return
  if (/^\/v1\/files\/\w+\/content$/.test(pathname)) event.respondWith(findPicture(request))
})

/** The search string is ignored, so that a cached picture of one width also serves all other widths. */
const findPicture = async (request: Request): Promise<Response> =>
  (await (await caches.open(offlineCacheName)).match(request, { ignoreSearch: true, ignoreVary: true })) ??
  fetch(request)
