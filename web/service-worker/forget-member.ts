import { sharedPhotoCacheName } from './shared-photo.ts'

/** Of the notification that says on this device that the session is over. */
export const farewellTag = 'farewell'

/** The names of caches that hold the app itself begin so: they are every member's. */
export const appCachePrefix = 'juntas-app-'

/**
 * Has this browser rung no more, takes away what was shown of the member outside of the page, and deletes every cache and database
 * on this device but the app's own files: what was kept to read, what waits to be sent, drafts. Pages and
 * the worker may call it. What was just shared to Juntas may wait for who signs in. @returns when it is gone, or a page that still uses it holds it up
 */
export async function forgetMember({ keepsSharedPhoto = false } = {}): Promise<void> {
  const silenced = stopRinging().catch(() => {})
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? []
  for (const { name } of databases) if (name) indexedDB.deleteDatabase(name)
  // Insecure pages of another host than localhost have no caches.
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? []
  const gone = names.filter(
    (name) => !name.startsWith(appCachePrefix) && !(keepsSharedPhoto && name === sharedPhotoCacheName),
  )
  await Promise.all([silenced, ...gone.map((name) => caches.delete(name))])
}

async function stopRinging(): Promise<void> {
  const inWorker: ServiceWorkerRegistration | undefined = (
    self as { registration?: ServiceWorkerRegistration }
  ).registration
  const registration = inWorker ?? (await navigator.serviceWorker?.getRegistration())
  // A page that is not installed may have no icon.
  navigator.clearAppBadge?.().catch(() => {})
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null)
  const unsubscribed = subscription?.unsubscribe().catch(() => false)
  const shown = (await registration?.getNotifications?.().catch(() => [])) ?? []
  // What says that the session is over stays.
  for (const notification of shown) if (notification.tag !== farewellTag) notification.close()
  await unsubscribed
}
