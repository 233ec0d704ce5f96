/** Whether passkeys work on this page: they need https or localhost, and a host name. */
export const isPasskeyBrowser = (): boolean =>
  'PublicKeyCredential' in window && isSecureContext && !/^[\d.]+$|:/.test(location.hostname)
