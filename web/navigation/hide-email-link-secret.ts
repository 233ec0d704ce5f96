/** Hides the secret in the history state from requests and onlookers. Call before anything loads. */
export function hideEmailLinkSecret(): void {
  const query = new URLSearchParams(location.search)
  const secret = query.get('secret')
  if (secret !== null)
    history.replaceState({ usr: { userId: query.get('userId') ?? '', secret } }, '', location.pathname)
}
