/**
 * Registers the routes of the Appwrite dialect, which translate what existing clients of Appwrite send to the product. Of the
 * server outside of `appwrite/`, this module alone imports from it.
 */
import type { FastifyInstance } from 'fastify'
import type { AppContext, RouteRegistrar } from './app-context.ts'
import { registerAppwriteAccountRoutes } from './appwrite/account/account.ts'
import { registerAppwriteCredentialChangeRoutes } from './appwrite/account/credential-changes.ts'
import { registerEmailLinkPageRoutes } from './appwrite/account/email-link-page-routes.ts'
import { registerAppwriteIdentityRoutes } from './appwrite/account/identities.ts'
import { registerJwtRoutes } from './appwrite/account/jwts.ts'
import { registerAppwriteLogRoutes } from './appwrite/account/logs.ts'
import { registerAppwriteMfaRoutes } from './appwrite/account/mfa.ts'
import { registerOAuth2Routes } from './appwrite/account/oauth2.ts'
import { registerAppwriteRecoveryRoutes } from './appwrite/account/recovery.ts'
import { registerAppwriteSessionRoutes } from './appwrite/account/sessions.ts'
import { registerAppwriteTokenRoutes } from './appwrite/account/tokens.ts'
import { registerContactVerificationRoutes } from './appwrite/account/verification.ts'
import { registerRemoteImageRoutes } from './appwrite/avatars/remote-image-routes.ts'
import { registerAvatarRoutes } from './appwrite/avatars/routes.ts'
import { documentCollections } from './appwrite/documents/document-collections.ts'
import { registerDocumentRoutes } from './appwrite/documents/routes.ts'
import { addAppwriteProjectGuard } from './appwrite/project.ts'
import { registerAppwriteRealtime } from './appwrite/realtime/routes.ts'
import { registerStorageRoutes } from './appwrite/storage/routes.ts'
import type { CollectionsToCheck } from './check-collections.ts'
import type { Config } from './config.ts'
import { noRouteInput, registerRoute } from './route.ts'

export type ApiDialect = {
  documents: CollectionsToCheck['documents']
  /** Refuses requests for other projects, before anything else is looked at. */
  guard(app: FastifyInstance, config: Config): void
  routes: readonly RouteRegistrar[]
}

const routes: readonly RouteRegistrar[] = [
  registerPing,
  closeEndedSockets,
  registerAppwriteAccountRoutes,
  registerAppwriteCredentialChangeRoutes,
  registerAppwriteSessionRoutes,
  registerAppwriteTokenRoutes,
  registerAppwriteRecoveryRoutes,
  registerContactVerificationRoutes,
  registerJwtRoutes,
  registerOAuth2Routes,
  registerAppwriteIdentityRoutes,
  registerAppwriteLogRoutes,
  registerAppwriteMfaRoutes,
  registerEmailLinkPageRoutes,
  registerDocumentRoutes,
  registerAppwriteRealtime,
  registerStorageRoutes,
  registerAvatarRoutes,
  registerRemoteImageRoutes,
]

export const appwriteDialect: ApiDialect = {
  documents: documentCollections,
  guard: addAppwriteProjectGuard,
  routes,
}

function registerPing(app: FastifyInstance, context: AppContext): void {
  const ping = {
    method: 'GET',
    url: '/v1/ping',
    who: 'visitor',
    limit: [],
    status: 200,
    input: noRouteInput,
  } as const
  registerRoute(app, context, ping, async () => 'Pong!')
}

/** Account calls write past the store: a session that one of them ends takes its sockets with it at once. */
function closeEndedSockets(app: FastifyInstance, { live }: AppContext): void {
  app.addHook('onResponse', async (request, reply) => {
    const wrote = request.method !== 'GET' && reply.statusCode < 400
    if (wrote && /^\/v1\/(account|auth)/.test(request.url)) live.notify([])
  })
}
