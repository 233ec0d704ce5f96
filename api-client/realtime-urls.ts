/** Names the product's socket, and the Appwrite dialect's with its channels. */

/** @param url of the server, without a path */
export const buildLiveSocketUrl = (url: string) => `${url.replace(/^http/, 'ws')}/v1/live`

/** @param url of the server, without a path */
export const buildAppwriteRealtimeUrl = (url: string) => `${url.replace(/^http/, 'ws')}/v1/realtime`

/** Names the channel of every document of a collection that the subscriber may read. */
export const buildDocumentsChannelName = (collection: string) =>
  `databases.main.collections.${collection}.documents`
