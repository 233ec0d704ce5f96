import { sharedPhotoCacheName } from './shared-photo-location.ts'

/** Tags the notification about the ended session. */
export const sessionEndedTag = 'farewell'

/** Prefix of caches with the app itself, which hold no member data. */
export const appCachePrefix = 'juntas-app-'

/**
 * Clears member data on this device: push subscription, notifications, and all caches and databases except
 * the app's files. Runs in pages and the worker. Resolves once subscription and caches are deleted; open
 * databases follow later.
 * @param keepsSharedPhoto whether to keep a photo just shared to the app for the next sign-in
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
  // Only an installed app has a badge.
  navigator.clearAppBadge?.().catch(() => {})
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null)
  const unsubscribed = subscription?.unsubscribe().catch(() => false)
  const shown = (await registration?.getNotifications?.().catch(() => [])) ?? []
  // Keeps the notice of the ended session.
  for (const notification of shown) if (notification.tag !== sessionEndedTag) notification.close()
  await unsubscribed
}
