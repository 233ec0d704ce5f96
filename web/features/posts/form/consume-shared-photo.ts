import { en } from '#contract/language.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'
import {
  sharedAtHeader,
  sharedNameHeader,
  sharedPhotoAddress,
  sharedPhotoCacheName,
} from '#web/service-worker/shared-photo-location.ts'
import { hasImageSignature } from '#web/ui/images/accept-images.ts'

/** The time to sign in before the photo expires. */
const waitsMs = 60 * 60_000

function describeRefusal(): string {
  const community = getCommunityName()
  return en(`${community} takes JPEG and PNG.`, `${community} admite JPEG y PNG.`)
}

/**
 * Takes the photo from the cache.
 * @returns null if missing or expired
 * @throws Error with a message for the member
 */
export async function consumeSharedPhoto(): Promise<File | null> {
  const answer = await globalThis.caches?.match(sharedPhotoAddress, { cacheName: sharedPhotoCacheName })
  if (!answer) return null
  const blob = await answer.blob()
  await caches.delete(sharedPhotoCacheName)
  if (Number(answer.headers.get(sharedAtHeader)) < Date.now() - waitsMs) return null
  if (!(await hasImageSignature(blob, true))) throw new Error(describeRefusal())
  const name = decodeURIComponent(answer.headers.get(sharedNameHeader) ?? '')
  return new File([blob], name || 'photo.jpg', { type: blob.type })
}
