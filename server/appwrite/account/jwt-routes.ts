import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import { issueJwt } from '#server/auth/jwt.ts'
import { throwFailure } from '#server/errors.ts'
import { registerRoute } from '#server/route.ts'
import { createAppwriteParametersReader } from '../request-parameters.ts'

const defaultSeconds = 900
const range = 'Value must be a valid range between 0 and 3,600'

export function registerAppwriteJwtRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    {
      method: 'POST',
      url: ['/v1/account/jwt', '/v1/account/jwts'],
      who: 'account',
      limit: 'write',
      status: 201,
      input: createAppwriteParametersReader(
        z.object({
          duration: z.optional(
            z.number(range).check(z.int(range), z.minimum(0, range), z.maximum(3600, range)),
          ),
        }),
      ),
    },
    async ({ duration }, { request, caller, database }) => {
      // A caller could otherwise extend a JWT by issuing another.
      if (request.headers['x-appwrite-jwt']) return throwFailure('user_session_not_found')
      return { jwt: await issueJwt(database.kysely, caller, duration || defaultSeconds) }
    },
  )
}
