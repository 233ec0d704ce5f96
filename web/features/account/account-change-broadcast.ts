/** Tells the tabs of this browser that something of the account has changed; what it was, each asks the server. */
const channelName = 'juntas-account'

export function announceAccountChange(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('changed')
  channel.close()
}

/** @returns stops listening */
export function onAccountChange(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
