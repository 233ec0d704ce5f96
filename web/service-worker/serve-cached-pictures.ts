/**
 * Answers pictures from what is kept, while there is no connection. With one each is asked of the server as ever: what a member may see
 * ends from one moment to the next (decision 0143).
 */
import { offlineCacheName } from './offline-cache-names.ts'
import { worker } from './worker-scope.ts'

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (navigator.onLine || request.method !== 'GET' || origin !== worker.location.origin) return
  if (/^\/v1\/files\/\w+\/content$/.test(pathname)) event.respondWith(findPicture(request))
})

/** One width of a picture is kept, and stands for all. */
const findPicture = async (request: Request): Promise<Response> =>
  (await (await caches.open(offlineCacheName)).match(request, { ignoreSearch: true, ignoreVary: true })) ??
  fetch(request)
