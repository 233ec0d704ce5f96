/** Reads the session's token from a request and sends it to the client: in a cookie, or in a header where a browser blocks it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { defineHostCookie } from './host-cookie.ts'
import type { SessionToken } from './session.ts'

/** The project of a client that names none, and of the product's own web. */
const ownProject = 'juntas'

/** Names the session in the cookie and in the fallback header, as clients of the dialect derive it from their project. */
const sessionKey = (project = ownProject) => `a_session_${project}`

/**
 * Names the session by every id of the project, that of the client first: addresses of images that the server writes name
 * another id than the page around them.
 */
const sessionKeys = ({ aliases }: Config, project?: string) => [
  ...new Set([project, ownProject, ...aliases.project].map((id) => sessionKey(id))),
]

/**
 * Reads the token of a request: from the cookie, else for an allowed foreign origin from the fallback header, because
 * browsers may block third-party cookies, else from the header that clients without cookies send. An empty or damaged
 * one counts as none.
 * @param request `project` is the id that the client named, one of those known
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

/** Sets the session cookie, and for a foreign origin the fallback header beside it: its browser may block the cookie. */
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

/** Clears the session cookie, under every id it was sent by. `[]` is the fallback value that clients of the dialect take for "signed out". */
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
