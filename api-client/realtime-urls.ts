/** @param url the server's address, without a path */
export const buildLiveSocketUrl = (url: string) => `${url.replace(/^http/, 'ws')}/v1/live`

export const buildAppwriteRealtimeUrl = (url: string) => `${url.replace(/^http/, 'ws')}/v1/realtime`

export const buildDocumentsChannelName = (collection: string) =>
  `databases.main.collections.${collection}.documents`
