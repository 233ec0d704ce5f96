import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { defineHostCookie } from './host-cookie.ts'
import type { SessionToken } from './session.ts'

/** This project is also used for clients that name no project. */
const ownProject = 'juntas'

/** Appwrite clients derive this name from their project. */
const sessionKey = (project = ownProject) => `a_session_${project}`

/** The client's project comes first. An image address may name another project than the page. */
const sessionKeys = ({ aliases }: Config, project?: string) => [
  ...new Set([project, ownProject, ...aliases.project].map((id) => sessionKey(id))),
]

/**
 * Reads the cookie; for an allowed foreign origin the fallback header, because browsers may block third-party
 * cookies; then the header of clients without cookies.
 * @param request `project` is the id that the client named
 */
export function readSessionToken(
  request: Pick<FastifyRequest, 'cookies' | 'headers' | 'project'>,
  config: Config,
  foreignOrigin: boolean,
): SessionToken | null {
  const keys = sessionKeys(config, request.project)
  const cookie = keys.map((key) => request.cookies[defineHostCookie(config, key).name]).find(Boolean)
  if (cookie) return cookie
  const kept = request.headers['x-appwrite-session']
  return (
    (foreignOrigin ? fallbackToken(request, keys) : null) ?? (typeof kept === 'string' && kept ? kept : null)
  )
}

function fallbackToken(
  request: Pick<FastifyRequest, 'headers'>,
  keys: readonly string[],
): SessionToken | null {
  const header = request.headers['x-fallback-cookies']
  if (typeof header !== 'string' || header === '' || header.length > 4096) return null
  try {
    const sent = JSON.parse(header)
    return keys.map((key) => sent?.[key]).find((token) => typeof token === 'string') ?? null
  } catch {
    return null
  }
}

/** Browsers may block a foreign origin's cookie, so such a client also gets the fallback header. */
export function setSessionCookie(
  reply: FastifyReply,
  config: Config,
  { token, expires, foreignOrigin }: { token: SessionToken; expires: Date; foreignOrigin: boolean },
): void {
  const key = sessionKey(reply.request.project)
  if (foreignOrigin) reply.header('x-fallback-cookies', JSON.stringify({ [key]: token }))
  const { name, options } = defineHostCookie(config, key)
  reply.setCookie(name, token, { ...options, expires })
}

/** `[]` tells Appwrite clients that the session ended. */
export function clearSessionCookie(reply: FastifyReply, config: Config, foreignOrigin: boolean): void {
  if (foreignOrigin) reply.header('x-fallback-cookies', '[]')
  const { project, cookies } = reply.request
  for (const key of sessionKeys(config, project)) {
    const { name, options } = defineHostCookie(config, key)
    if (key === sessionKey(project) || cookies[name] !== undefined) reply.clearCookie(name, options)
  }
  // The browser's cache may hold images that only this member may see.
  if (config.production && !foreignOrigin) reply.header('clear-site-data', '"cache"')
}
