/**
 * Shared content stays on the device until the member posts. Other sites' forms can submit here too, but only create
 * a draft.
 */
import {
  sharedAtHeader,
  sharedNameHeader,
  sharedPhotoAddress,
  sharedPhotoCacheName,
  sharedPhotoPath,
} from './shared-photo-location.ts'
import { worker } from './worker-scope.ts'

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
