/**
 * Registers the routes of the Appwrite dialect, which translate what existing clients of Appwrite send to the product. Of the
 * server outside of `appwrite/`, this module alone imports from it.
 */
import type { FastifyInstance } from 'fastify'
import type { AppContext, RouteRegistrar } from './app-context.ts'
import { registerAppwriteAccountRoutes } from './appwrite/account/account-routes.ts'
import { registerAppwriteCredentialChangeRoutes } from './appwrite/account/credential-change-routes.ts'
import { registerAppwriteEmailLinkPageRoutes } from './appwrite/account/email-link-page-routes.ts'
import { registerAppwriteIdentityRoutes } from './appwrite/account/identity-routes.ts'
import { registerAppwriteJwtRoutes } from './appwrite/account/jwt-routes.ts'
import { registerAppwriteLogRoutes } from './appwrite/account/log-routes.ts'
import { registerAppwriteMfaRoutes } from './appwrite/account/mfa-routes.ts'
import { registerAppwriteOAuth2Routes } from './appwrite/account/oauth2-routes.ts'
import { registerAppwriteRecoveryRoutes } from './appwrite/account/recovery-routes.ts'
import { registerAppwriteSessionRoutes } from './appwrite/account/session-routes.ts'
import { registerAppwriteTokenRoutes } from './appwrite/account/token-routes.ts'
import { registerAppwriteVerificationRoutes } from './appwrite/account/verification-routes.ts'
import { registerAppwriteRemoteImageRoutes } from './appwrite/avatars/remote-image-routes.ts'
import { registerAppwriteAvatarRoutes } from './appwrite/avatars/routes.ts'
import { documentCollections } from './appwrite/documents/document-collections.ts'
import { registerAppwriteDocumentRoutes } from './appwrite/documents/routes.ts'
import { addAppwriteProjectGuard } from './appwrite/project-guard.ts'
import { registerAppwriteRealtimeProtocol } from './appwrite/realtime/socket-protocol.ts'
import { registerAppwriteStorageRoutes } from './appwrite/storage/routes.ts'
import type { CollectionsToCheck } from './assert-collections-complete.ts'
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
  registerAppwriteVerificationRoutes,
  registerAppwriteJwtRoutes,
  registerAppwriteOAuth2Routes,
  registerAppwriteIdentityRoutes,
  registerAppwriteLogRoutes,
  registerAppwriteMfaRoutes,
  registerAppwriteEmailLinkPageRoutes,
  registerAppwriteDocumentRoutes,
  registerAppwriteRealtimeProtocol,
  registerAppwriteStorageRoutes,
  registerAppwriteAvatarRoutes,
  registerAppwriteRemoteImageRoutes,
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
