import type { Config } from '../config.ts'

/** Hides cookies from scripts, and from other sites' unsafe requests. */
const options = { path: '/', httpOnly: true, sameSite: 'lax' } as const

/**
 * Names a cookie of our own origin. With https it gets the `__Host-` prefix, which keeps other hosts of the domain and
 * plain http from setting it (RFC 6265bis §4.1.3.2).
 * @returns the cookie's full name and the options it is set and cleared with
 */
export function defineHostCookie(config: Config, name: string) {
  const secure = config.publicUrl?.startsWith('https://') ?? false
  return { name: secure ? `__Host-${name}` : name, options: { ...options, secure } }
}
