/**
 * Moves an email link's secret from the address bar into history state, so that requests and onlookers cannot
 * see it. Call before anything loads.
 */
export function hideEmailLinkSecret(): void {
  const query = new URLSearchParams(location.search)
  const secret = query.get('secret')
  if (secret !== null)
    history.replaceState({ usr: { userId: query.get('userId') ?? '', secret } }, '', location.pathname)
}
