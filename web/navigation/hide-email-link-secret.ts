/**
 * Moves the secret of an email link from the address bar into the history state, so that neither requests nor onlookers
 * can see it. Call this function before anything loads.
 */
export function hideEmailLinkSecret(): void {
  const query = new URLSearchParams(location.search)
  const secret = query.get('secret')
  if (secret !== null)
    history.replaceState({ usr: { userId: query.get('userId') ?? '', secret } }, '', location.pathname)
}
