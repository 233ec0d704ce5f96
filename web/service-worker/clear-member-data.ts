import { sharedPhotoCacheName } from './shared-photo-location.ts'

/** Tags the notification about the end of the session. */
export const sessionEndedTag = 'farewell'

/** The prefix of caches that contain the app and no member data. */
export const appCachePrefix = 'juntas-app-'

/**
 * Keeps only the app's files. Open databases are deleted later by the browser.
 * @param keepsSharedPhoto keeps a photo just shared with the app for the next sign-in
 */
export async function clearMemberDataOnDevice({ keepsSharedPhoto = false } = {}): Promise<void> {
  const silenced = stopRinging().catch(() => {})
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? []
  for (const { name } of databases) if (name) indexedDB.deleteDatabase(name)
  // Insecure origins except localhost have no caches.
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
  // Clearing the badge fails if the app is not installed.
  navigator.clearAppBadge?.().catch(() => {})
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null)
  const unsubscribed = subscription?.unsubscribe().catch(() => false)
  const shown = (await registration?.getNotifications?.().catch(() => [])) ?? []
  for (const notification of shown) if (notification.tag !== sessionEndedTag) notification.close()
  await unsubscribed
}
