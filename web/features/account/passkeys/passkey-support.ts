/** Whether this browser makes and uses passkeys on this page: they need https or localhost, and a name in place of an IP address. */
export const isPasskeyBrowser = (): boolean =>
  'PublicKeyCredential' in window && isSecureContext && !/^[\d.]+$|:/.test(location.hostname)
