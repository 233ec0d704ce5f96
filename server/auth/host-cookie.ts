import type { Config } from '../config.ts'

/** Hides cookies from scripts, and from other sites' unsafe requests. */
const options = { path: '/', httpOnly: true, sameSite: 'lax' } as const

/**
 * Names a cookie of our origin. With https it gets the `__Host-` prefix, so that other hosts of the domain
 * and plain http cannot set it (RFC 6265bis §4.1.3.2).
 * @returns the cookie's full name and its options
 */
export function defineHostCookie(config: Config, name: string) {
  const secure = config.publicUrl?.startsWith('https://') ?? false
  return { name: secure ? `__Host-${name}` : name, options: { ...options, secure } }
}
