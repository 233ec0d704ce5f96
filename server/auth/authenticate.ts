import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { resolveJwt } from './jwt.ts'
import {
  findCallerBySessionToken,
  type RequestCaller,
  readSessionToken,
  type SelectForCaller,
} from './session.ts'

/**
 * Resolves the caller from whichever credential the request carries; a JWT wins over a session, as clients of the dialect
 * expect.
 * @param select of a row that is looked up for the caller in the same statement
 * @returns null for a visitor: an unknown or ended session is no error
 * @throws Failure 401 for an invalid JWT, and for a blocked account
 */
export async function authenticateRequest(
  request: FastifyRequest,
  config: Config,
  { kysely }: Database,
  select?: SelectForCaller,
): Promise<RequestCaller | null> {
  const jwt = request.headers['x-appwrite-jwt']
  if (typeof jwt === 'string' && jwt !== '') return resolveJwt(kysely, jwt, select)
  const token = readSessionToken(request, config, request.foreignOrigin)
  return token === null ? null : findCallerBySessionToken(kysely, token, select)
}
