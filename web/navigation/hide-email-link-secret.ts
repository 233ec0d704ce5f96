/**
 * Moves the secret of a letter's link from the address bar into the state of the history entry, where the router's `location`
 * has it: nothing that the page loads, and nobody who sees the screen or the address, learns it. Call before anything loads.
 */
export function hideEmailLinkSecret(): void {
  const query = new URLSearchParams(location.search)
  const secret = query.get('secret')
  if (secret !== null)
    history.replaceState({ usr: { userId: query.get('userId') ?? '', secret } }, '', location.pathname)
}
