/** Pages fill this cache, and the worker serves pictures from it. */
export const offlineCacheName = 'juntas-kept'

export const cachedHomeAddress = '/kept/home.json'
