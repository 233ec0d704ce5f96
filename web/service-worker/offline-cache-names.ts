/** The cache for offline reading: pages fill it, the worker serves pictures from it. */
export const offlineCacheName = 'juntas-kept'

/** The posts' key in it, which no request uses. */
export const cachedHomeAddress = '/kept/home.json'
