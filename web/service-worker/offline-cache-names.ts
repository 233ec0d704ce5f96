/** Pages fill it; the worker serves pictures from it. */
export const offlineCacheName = 'juntas-kept'

/** A cache key for the stored posts, not a real address. */
export const cachedHomeAddress = '/kept/home.json'
