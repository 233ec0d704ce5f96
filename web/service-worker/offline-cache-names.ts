/** The name of the cache for offline reading. Pages fill the cache, and the worker serves pictures from it. */
export const offlineCacheName = 'juntas-kept'

/** The cache key of the stored posts. No request uses this address. */
export const cachedHomeAddress = '/kept/home.json'
