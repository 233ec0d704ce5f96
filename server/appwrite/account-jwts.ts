/** JWTs of a session (platform reference §5.2). */
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { fail } from '../errors.ts'
import { issueJwt } from '../jwt.ts'
import type { Parts } from '../parts.ts'
import { serveAccountCall } from './account-calls.ts'

const defaultSeconds = 900
const range = 'Value must be a valid range between 0 and 3,600'

export function jwtCalls(app: FastifyInstance, parts: Parts): void {
  serveAccountCall(app, parts, {
    method: 'POST',
    paths: ['/jwt', '/jwts'],
    who: 'signed-in',
    limit: 'write',
    status: 201,
    input: z.object({
      duration: z.optional(z.number(range).check(z.int(range), z.minimum(0, range), z.maximum(3600, range))),
    }),
    async answer({ duration }, { request, caller, database }) {
      // Else a JWT could prolong itself for as long as its session lives.
      if (request.headers['x-appwrite-jwt']) return fail('user_session_not_found')
      return { jwt: await issueJwt(database.kysely, caller, duration || defaultSeconds) }
    },
  })
}
