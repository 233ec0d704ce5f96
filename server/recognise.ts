/** Who is asking, by whichever credential the request carries; a JWT wins (platform reference §3.2). */
import type { FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import { resolveJwt } from './jwt.ts'
import { type Caller, resolveToken, tokenOf } from './session.ts'

/**
 * @returns null for a visitor: a session that is unknown or over is no error
 * @throws Failure 401 for a JWT that is not valid, and for a blocked account
 */
export async function recognise(
  request: FastifyRequest,
  config: Config,
  { kysely }: Database,
): Promise<Caller | null> {
  const jwt = request.headers['x-appwrite-jwt']
  if (typeof jwt === 'string' && jwt !== '') return resolveJwt(kysely, jwt)
  const token = tokenOf(request, config, request.foreignOrigin)
  return token === null ? null : resolveToken(kysely, token)
}
