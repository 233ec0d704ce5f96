/** URLs of the product's and the Appwrite API's sockets. */

/** @param url of the server, without a path */
export const buildLiveSocketUrl = (url: string) => `${url.replace(/^http/, 'ws')}/v1/live`

/** @param url of the server, without a path */
export const buildAppwriteRealtimeUrl = (url: string) => `${url.replace(/^http/, 'ws')}/v1/realtime`

export const buildDocumentsChannelName = (collection: string) =>
  `databases.main.collections.${collection}.documents`
