import { sharedPhotoCacheName } from './shared-photo.ts'

/** The names of caches that hold the app itself begin so: they are every member's. */
export const appCachePrefix = 'juntas-app-'

/**
 * Deletes every cache and database on this device but the app's own files: what was kept to read, what waits to be sent, drafts. Pages and
 * the worker may call it. What was just shared to Juntas may wait for who signs in. @returns when it is gone, or a page that still uses it holds it up
 */
export async function forgetMember({ keepsSharedPhoto = false } = {}): Promise<void> {
  const databases = (await indexedDB.databases?.().catch(() => [])) ?? []
  for (const { name } of databases) if (name) indexedDB.deleteDatabase(name)
  // Insecure pages of another host than localhost have no caches.
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? []
  const gone = names.filter(
    (name) => !name.startsWith(appCachePrefix) && !(keepsSharedPhoto && name === sharedPhotoCacheName),
  )
  await Promise.all(gone.map((name) => caches.delete(name)))
}
