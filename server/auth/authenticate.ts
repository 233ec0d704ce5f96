import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { resolveJwt } from './jwt.ts'
import { findCallerOrPendingCaller, type SelectForCaller } from './session.ts'
import { readSessionToken } from './session-cookie.ts'

const nobody = { caller: null, pendingCaller: null, closingCaller: null }

/**
 * A JWT takes precedence, as Appwrite clients expect. Pending sessions and accounts being deleted count as
 * visitors, unless a route requests `pendingCaller` or `closingCaller`.
 * @param select selects a row for the caller in the same statement
 * @returns null for a visitor or an ended session
 * @throws Failure 401 for an invalid JWT or a blocked account
 */
export async function authenticateRequest(
  request: FastifyRequest,
  config: Config,
  { kysely }: Database,
  select?: SelectForCaller,
): Promise<Pick<FastifyRequest, 'caller' | 'pendingCaller' | 'closingCaller'>> {
  const jwt = request.headers['x-appwrite-jwt']
  if (typeof jwt === 'string' && jwt !== '')
    return { ...nobody, caller: await resolveJwt(kysely, jwt, select) }
  const token = readSessionToken(request, config, request.foreignOrigin)
  const found = token === null ? null : await findCallerOrPendingCaller(kysely, token, select)
  if (found?.session.pending) return { ...nobody, pendingCaller: found }
  if (found?.session.closing) return { ...nobody, closingCaller: found }
  return { ...nobody, caller: found }
}
