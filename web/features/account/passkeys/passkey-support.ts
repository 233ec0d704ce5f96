/** Passkeys need https or localhost, and a host name instead of an IP address. */
export const isPasskeyBrowser = (): boolean =>
  'PublicKeyCredential' in window && isSecureContext && !/^[\d.]+$|:/.test(location.hostname)
