/** Other tabs of this browser then ask the server for details. */
const channelName = 'juntas-account'

export function announceAccountChange(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('changed')
  channel.close()
}

/** @returns a function that stops listening */
export function onAccountChange(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
