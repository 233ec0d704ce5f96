import type { Config } from '../config.ts'

/** These options hide cookies from scripts and from unsafe requests of other sites. */
const options = { path: '/', httpOnly: true, sameSite: 'lax' } as const

/**
 * Names a cookie of our origin. With https the name gets the `__Host-` prefix, so that other hosts of the
 * domain and plain http cannot set the cookie (RFC 6265bis §4.1.3.2).
 * @returns the cookie's full name and its options
 */
export function defineHostCookie(config: Config, name: string) {
  const secure = config.publicUrl?.startsWith('https://') ?? false
  return { name: secure ? `__Host-${name}` : name, options: { ...options, secure } }
}
