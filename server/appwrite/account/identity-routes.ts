import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { AppContext } from '#server/app-context.ts'
import { throwFailure } from '#server/errors.ts'
import { maxIdentities, removeConnectedIdentity } from '#server/features/account/connected-identity-routes.ts'
import { registerRoute } from '#server/route.ts'
import { toAppwriteIdentity } from '../build-response-models.ts'
import { isListTotalRequested } from '../queries/queries-parameter.ts'
import { createAppwriteParametersReader } from '../request-parameters.ts'
import { queryModelsInMemory } from './in-memory-list-queries.ts'

export function registerAppwriteIdentityRoutes(app: FastifyInstance, context: AppContext): void {
  const db = context.database.kysely

  registerRoute(
    app,
    context,
    {
      method: 'GET',
      url: '/v1/account/identities',
      who: 'account',
      limit: 'read',
      status: 200,
      input: createAppwriteParametersReader(z.looseObject({})),
    },
    async (query, { caller }) => {
      const rows = await db
        .selectFrom('identities')
        .selectAll()
        .where('account_id', '=', caller.account.id)
        .orderBy('id')
        .limit(maxIdentities)
        .execute()
      const models = rows.map((row) => toAppwriteIdentity(row, caller.account.publicId))
      const { total, page } = queryModelsInMemory(models, query, 'Identity')
      return { total: isListTotalRequested(query) ? total : 0, identities: page }
    },
  )

  registerRoute(
    app,
    context,
    {
      method: 'DELETE',
      url: '/v1/account/identities/:identityId',
      who: 'account',
      limit: 'write',
      status: 204,
      input: createAppwriteParametersReader(z.object({ identityId: z.string() })),
    },
    async ({ identityId }, ctx) => {
      if (!(await removeConnectedIdentity(ctx, identityId))) throwFailure('user_identity_not_found')
    },
  )
}
