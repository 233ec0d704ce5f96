import type { Config } from '../config.ts'

/** These options hide cookies from scripts and from unsafe requests of other sites. */
const options = { path: '/', httpOnly: true, sameSite: 'lax' } as const

/**
 * With https, other hosts of the domain and plain http cannot set a `__Host-` cookie (RFC 6265bis §4.1.3.2).
 */
export function defineHostCookie(config: Config, name: string) {
  const secure = config.publicUrl?.startsWith('https://') ?? false
  return { name: secure ? `__Host-${name}` : name, options: { ...options, secure } }
}
