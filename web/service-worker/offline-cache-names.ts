/** The cache of what a member may read without a connection: pages fill it, the worker answers pictures from it. */
export const offlineCacheName = 'juntas-kept'

/** Where in it the posts are; no request has this address. */
export const cachedHomeAddress = '/kept/home.json'
