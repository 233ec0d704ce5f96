/** Requests and onlookers must not see the secret. Call before anything loads. */
export function hideEmailLinkSecret(): void {
  const query = new URLSearchParams(location.search)
  const secret = query.get('secret')
  if (secret !== null)
    history.replaceState({ usr: { userId: query.get('userId') ?? '', secret } }, '', location.pathname)
}
