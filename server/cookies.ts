/** The cookies of our own origin: unreadable to scripts, never sent with another site's unsafe requests (reading D-08). */
import type { Config } from './config.ts'

const options = { path: '/', httpOnly: true, sameSite: 'lax' } as const

/**
 * With https the name itself keeps other hosts of the domain and plain http from setting the cookie (`__Host-`).
 * @returns the cookie's whole name and what it is set and cleared with
 */
export function hostCookie(config: Config, name: string) {
  const secure = config.publicUrl?.startsWith('https://') ?? false
  return { name: secure ? `__Host-${name}` : name, options: { ...options, secure } }
}
