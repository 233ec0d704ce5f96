/**
 * Takes what another app shares to Juntas, on the device: nothing of it goes to the server before the member posts it. A form of another
 * site can send here too, and ends in a draft that nobody has posted.
 */
import {
  sharedAtHeader,
  sharedNameHeader,
  sharedPhotoAddress,
  sharedPhotoCacheName,
  sharedPhotoPath,
} from './shared-photo-location.ts'
import { worker } from './worker-scope.ts'

/** As the manifest names it. */
const shareAddress = '/share'
const fieldName = 'photo'

worker.addEventListener('fetch', (event) => {
  const { method, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method === 'POST' && pathname === shareAddress && origin === worker.location.origin)
    event.respondWith(takeSharedPhoto(event.request))
})

async function takeSharedPhoto(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => null)
  const photo = form?.get(fieldName)
  if (photo instanceof File) {
    const headers = {
      'content-type': photo.type || 'application/octet-stream',
      [sharedNameHeader]: encodeURIComponent(photo.name),
      [sharedAtHeader]: String(Date.now()),
    }
    await (await caches.open(sharedPhotoCacheName)).put(sharedPhotoAddress, new Response(photo, { headers }))
  }
  return Response.redirect(sharedPhotoPath, 303)
}
