import { sharedPhotoCacheName } from './shared-photo-location.ts'

/** Tags the notification that says on this device that the session is over. */
export const sessionEndedTag = 'farewell'

/** Begins the names of the caches that hold the app itself, which belong to no member. */
export const appCachePrefix = 'juntas-app-'

/**
 * Clears the member's data on this device: ends the push subscription, closes notifications, and deletes every cache and database but the
 * app's own files (posts kept to read, what waits to be sent, drafts). Called by pages and by the worker.
 * Resolves when subscription and caches are gone; a database goes once no page has it open.
 * @param keepsSharedPhoto whether a photo that was just shared to Juntas waits for who signs in
 */
export async function clearMemberDataOnDevice({ keepsSharedPhoto = false } = {}): Promise<void> {
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
  for (const notification of shown) if (notification.tag !== sessionEndedTag) notification.close()
  await unsubscribed
}
