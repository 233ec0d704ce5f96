/** Pages fill it; the worker serves pictures from it. */
export const offlineCacheName = 'juntas-kept'

/** No real address. */
export const cachedHomeAddress = '/kept/home.json'
